/** Colours that people choose, and what can be read on them. */

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => {
    const value = parseInt(pair, 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever reads better on a `#rrggbb` ground: one of them always passes AA. */
export function inkOn(ground: string): string {
  return luminance(ground) > 0.179 ? "#000000" : "#ffffff";
}
