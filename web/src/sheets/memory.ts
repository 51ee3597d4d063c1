/** What handlers of the spreadsheet's view remember between renders. */

import type { Selection } from "./selection";
import type { View } from "./useView";

export class Memory {
  grid: HTMLDivElement | null = null;
  view: View | null = null;
  /** Where each sheet was left. */
  readonly places = new Map<number, Selection>();
  /** The reference that pointing put into the formula being typed. */
  pointed: { from: number; to: number } | null = null;
  /** The column where a row of Tabs began. */
  tabbed: number | null = null;

  readonly attach = (grid: HTMLDivElement | null): void => {
    this.grid = grid;
  };

  see(view: View): void {
    this.view = view;
  }

  setPointed(pointed: Memory["pointed"]): void {
    this.pointed = pointed;
  }

  setTabbed(tabbed: number | null): void {
    this.tabbed = tabbed;
  }

  readonly focus = (): void => {
    this.grid?.focus({ preventScroll: true });
  };
}
