import { Select, type SelectProps } from "@mantine/core";

interface Props extends Omit<SelectProps, "value" | "onChange" | "data"> {
  data: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

/** One of a few. Its options are part of the page, so that whoever sees the page sees them. */
export function Choice({ onChange, ...rest }: Props) {
  return (
    <Select
      {...rest}
      allowDeselect={false}
      maxDropdownHeight={280}
      onChange={(value) => {
        if (value !== null) onChange(value);
      }}
    />
  );
}
