import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Screens show the world's time: the browser's own clock and zone are never asked.
const clock = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "Ask the world's clock." },
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: "Ask the world's clock." },
  {
    selector: "MemberExpression[property.name=/^(toLocale(Date|Time)?String|getHours|getDay|getDate|getMonth)$/]",
    message: "Format through kit/time: it knows the persona's zone and locale.",
  },
];

export default tseslint.config(
  { ignores: ["node_modules"] },
  ...tseslint.configs.strictTypeChecked,
  hooks.configs.flat["recommended-latest"],
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-restricted-syntax": ["error", ...clock],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ["**/*.js"], ...tseslint.configs.disableTypeChecked },
);
