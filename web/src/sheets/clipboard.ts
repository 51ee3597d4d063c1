/** Tables as text: what spreadsheets put on the clipboard. */

export function toText(rows: string[][]): string {
  return rows
    .map((row) => row.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t"))
    .join("\n");
}

export function fromText(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const given = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  for (let i = 0; i < given.length; i += 1) {
    const letter = given.charAt(i);
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (given[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === "") {
      quoted = true;
    } else if (letter === "\t" || letter === "\n") {
      row.push(cell);
      cell = "";
      if (letter === "\n") {
        rows.push(row);
        row = [];
      }
    } else cell += letter;
  }
  row.push(cell);
  rows.push(row);
  return rows;
}
