import { ActionIcon, ColorSwatch, Menu, SimpleGrid, Tooltip } from "@mantine/core";
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowMerge,
  IconBold,
  IconBorderAll,
  IconBucketDroplet,
  IconCaretDownFilled,
  IconDecimal,
  IconFilter,
  IconItalic,
  IconLetterA,
  IconMinus,
  IconPercentage,
  IconPlus,
  IconStrikethrough,
  IconSum,
  IconTextWrap,
  IconCurrencyDollar,
} from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";

import type { Commands } from "./commands";
import { useDesk } from "./desk";
import { alignment, colorOf, css, DEFAULT_FONT, DEFAULT_SIZE, FONTS, formatOf } from "./formats";
import { format } from "./requests";
import classes from "./app.module.css";

export const COLORS: [string, string][] = [
  ["Black", "#000000"], ["Dark grey", "#5f6368"], ["Grey", "#9aa0a6"], ["Light grey", "#dadce0"], ["White", "#ffffff"], ["Brown", "#8d5524"],
  ["Red", "#d93025"], ["Orange", "#e8710a"], ["Yellow", "#fbbc04"], ["Green", "#188038"], ["Teal", "#12858d"], ["Blue", "#1967d2"],
  ["Light red", "#f9d6d2"], ["Light orange", "#fde3cf"], ["Light yellow", "#fef3c7"], ["Light green", "#d4edda"], ["Light teal", "#d2eef0"], ["Light blue", "#d6e4fb"],
  ["Purple", "#7b1fa2"], ["Pink", "#c2185b"], ["Light purple", "#ead8f5"], ["Light pink", "#fbd7e6"], ["Navy", "#1b3a6b"], ["Olive", "#6b6b1b"],
];

interface ToolProps {
  label: string;
  keys?: string | undefined;
  on?: boolean;
  disabled?: boolean;
  onClick?: () => unknown;
  children: ReactNode;
}

function Tool({ label, keys, on, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`}>
      <ActionIcon
        aria-label={label}
        aria-pressed={on}
        size={28}
        variant={on ? "light" : "subtle"}
        color={on ? "accent" : "gray.7"}
        disabled={disabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => void onClick?.()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** A toolbar button that opens a menu. */
function Drop({ label, icon, text, children }: { label: string; icon?: ReactNode; text?: string; children: ReactNode }) {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <button type="button" className={classes.drop} aria-label={text === undefined ? label : `${label}: ${text}`} title={label} onMouseDown={(event) => event.preventDefault()}>
          {icon}
          {text !== undefined && <span className={classes.dropText}>{text}</span>}
          <IconCaretDownFilled size={9} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

export function Palette({ none, onPick }: { none: string; onPick: (hex: string | null) => void }) {
  return (
    <>
      <Menu.Item onClick={() => onPick(null)}>{none}</Menu.Item>
      <SimpleGrid cols={6} spacing={4} p="xs" role="none">
        {COLORS.map(([name, hex]) => (
          <Menu.Item key={hex} aria-label={name} className={classes.swatch ?? ""} onClick={() => onPick(hex)}>
            <ColorSwatch color={hex} size={20} />
          </Menu.Item>
        ))}
      </SimpleGrid>
    </>
  );
}

const SEPARATOR = "|";

export function Toolbar({ commands }: { commands: Commands }) {
  const desk = useDesk();
  const { sheet, selection, editor, mayEdit, state } = desk;
  const { active, area } = selection;
  const cell = desk.cell(active.row, active.column);
  const look = formatOf(sheet, active.row, active.column, cell);
  const text = look.textFormat ?? {};
  const align = alignment(look, cell);
  const go = (name: string) => () => commands[name]?.run();
  const item = (name: string) => (
    <Menu.Item key={name} onClick={go(name)}>
      {commands[name]?.label}
    </Menu.Item>
  );
  const tool = (name: string, icon: ReactNode, on?: boolean) => (
    <Tool key={name} label={commands[name]?.label ?? name} keys={commands[name]?.keys} {...(on === undefined ? {} : { on })} onClick={go(name)}>
      {icon}
    </Tool>
  );
  if (!mayEdit) {
    return (
      <div className={classes.toolbar} role="toolbar" aria-label="Formatting">
        <span className={classes.readOnly}>View only</span>
      </div>
    );
  }
  const kind = look.numberFormat?.type ?? "";
  const kinds: Record<string, string> = { CURRENCY: "Currency", NUMBER: "Number", PERCENT: "Percent", DATE: "Date", TIME: "Time", DATE_TIME: "Date time", TEXT: "Plain text", SCIENTIFIC: "Scientific" };
  const color = (name: "foregroundColor" | "backgroundColor") => (hex: string | null) => {
    const value = hex === null ? null : colorOf(hex);
    if (name === "backgroundColor") {
      void editor.run("Fill colour", [format(sheet.number, area, value === null ? {} : { backgroundColor: value }, "backgroundColor")]);
    } else {
      const patch = value === null ? {} : { textFormat: { foregroundColor: value } };
      void editor.run("Text colour", [format(sheet.number, area, patch, "textFormat.foregroundColor")]);
    }
  };
  const size = text.fontSize ?? DEFAULT_SIZE;
  const setFont = (patch: { fontFamily?: string; fontSize?: number }, field: string) =>
    void editor.run("Font", [format(sheet.number, area, { textFormat: patch }, `textFormat.${field}`)]);
  const groups: ReactNode[][] = [
    [
      <Tool key="undo" label="Undo" keys="Ctrl+Z" disabled={state.undo === 0} onClick={go("undo")}>
        <IconArrowBackUp size={17} />
      </Tool>,
      <Tool key="redo" label="Redo" keys="Ctrl+Y" disabled={state.redo === 0} onClick={go("redo")}>
        <IconArrowForwardUp size={17} />
      </Tool>,
    ],
    [
      <Tool key="currency" label="Format as currency" keys="Ctrl+Shift+4" on={kind === "CURRENCY"} onClick={go("currency")}>
        <IconCurrencyDollar size={17} />
      </Tool>,
      <Tool key="percent" label="Format as percent" keys="Ctrl+Shift+5" on={kind === "PERCENT"} onClick={go("percent")}>
        <IconPercentage size={17} />
      </Tool>,
      <Tool key="fewer" label="Decrease decimal places" onClick={go("fewerDecimals")}>
        <span className={classes.decimals} data-text=".0" />
      </Tool>,
      <Tool key="more" label="Increase decimal places" onClick={go("moreDecimals")}>
        <span className={classes.decimals} data-text=".00" />
      </Tool>,
      <Drop key="kinds" label="More formats" icon={<IconDecimal size={17} />} text={kinds[kind] ?? "Automatic"}>
        {["automatic", "plain", "number", "percent", "scientific", "currency", "currencyRounded", "date", "time", "dateTime", "duration", "customNumber"].map(item)}
      </Drop>,
    ],
    [
      <Drop key="font" label="Font" text={text.fontFamily ?? DEFAULT_FONT}>
        {Object.entries(FONTS).map(([name, family]) => (
          <Menu.Item key={name} style={{ fontFamily: family }} onClick={() => setFont({ fontFamily: name }, "fontFamily")}>
            {name}
          </Menu.Item>
        ))}
      </Drop>,
      <Tool key="smaller" label="Decrease font size" onClick={go("smaller")}>
        <IconMinus size={13} />
      </Tool>,
      <Drop key="size" label="Font size" text={String(size)}>
        {[6, 8, 9, 10, 11, 12, 14, 18, 24, 36].map((points) => (
          <Menu.Item key={points} onClick={() => setFont({ fontSize: points }, "fontSize")}>
            {points}
          </Menu.Item>
        ))}
      </Drop>,
      <Tool key="bigger" label="Increase font size" onClick={go("bigger")}>
        <IconPlus size={13} />
      </Tool>,
    ],
    [
      tool("bold", <IconBold size={17} />, text.bold === true),
      tool("italic", <IconItalic size={17} />, text.italic === true),
      tool("strike", <IconStrikethrough size={17} />, text.strikethrough === true),
      <Drop key="color" label="Text color" icon={<Inked color={css(text.foregroundColor) ?? "#171a21"}><IconLetterA size={15} /></Inked>}>
        <Palette none="Reset" onPick={color("foregroundColor")} />
      </Drop>,
    ],
    [
      <Drop key="fill" label="Fill color" icon={<Inked color={css(look.backgroundColor) ?? "#fff"}><IconBucketDroplet size={15} /></Inked>}>
        <Palette none="No fill" onPick={color("backgroundColor")} />
      </Drop>,
      <Drop key="borders" label="Borders" icon={<IconBorderAll size={17} />}>
        {["borderAll", "borderInner", "borderHorizontal", "borderVertical", "borderOuter", "borderTop", "borderBottom", "borderLeft", "borderRight", "borderNone"].map(item)}
      </Drop>,
      <Drop key="merge" label="Merge cells" icon={<IconArrowMerge size={17} />}>
        {["mergeAll", "mergeColumns", "mergeRows", "unmerge"].map(item)}
      </Drop>,
    ],
    [
      <Drop key="align" label="Horizontal align" icon={align === "right" ? <IconAlignRight size={17} /> : align === "center" ? <IconAlignCenter size={17} /> : <IconAlignLeft size={17} />}>
        {["alignLeft", "alignCenter", "alignRight"].map(item)}
        <Menu.Divider />
        <Menu.Label>Vertical</Menu.Label>
        {["top", "middle", "bottom"].map(item)}
      </Drop>,
      <Drop key="wrap" label="Text wrapping" icon={<IconTextWrap size={17} />}>
        {["overflow", "wrap", "clip"].map(item)}
      </Drop>,
    ],
    [
      tool("filter", <IconFilter size={17} />, sheet.filter !== null),
      <Drop key="functions" label="Functions" icon={<IconSum size={17} />}>
        {["SUM", "AVERAGE", "COUNT", "MAX", "MIN"].map(item)}
      </Drop>,
    ],
  ];
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Formatting">
      {groups.map((group, index) => (
        // The groups never change their order.
        <Fragment key={`${SEPARATOR}${index}`}>
          {index > 0 && <span className={classes.separator} aria-hidden />}
          {group}
        </Fragment>
      ))}
    </div>
  );
}

function Inked({ color, children }: { color: string; children: ReactNode }) {
  return (
    <span className={classes.inked}>
      {children}
      <i style={{ background: color }} />
    </span>
  );
}
