// What of one document an agent is shown: the texts and the numbered elements in and near the view.
// An element keeps its number for as long as its document lives: `known` is what this gave before.
({ known, next, view, margin }) => {
  const TAGS = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY"]);
  const ROLES = new Set(
    ("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox " +
      "textbox searchbox spinbutton slider treeitem").split(" "),
  );
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "OPTION", "OPTGROUP"]);
  const SHOWN =
    "type name role title alt placeholder aria-label aria-checked aria-selected aria-expanded aria-pressed " +
    "aria-current aria-invalid aria-disabled aria-haspopup min max step accept";
  const LONGEST = 100;
  const numbers = known ? known.numbers : new WeakMap();
  const elements = new Map(), lines = [], frames = [];
  const seen = view ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  // How the next text follows the last one: on a line of its own, or on the same one after this.
  let apart = true, joint = " ", open = true;

  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const short = (text) => {
    const signs = [...text.slice(0, 2 * LONGEST + 2)];
    return signs.length > LONGEST ? signs.slice(0, LONGEST).join("") + "…" : text;
  };
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const wider = (r, by) => ({ left: r.left - by, top: r.top - by, right: r.right + by, bottom: r.bottom + by });
  const some = (r) => r.right > r.left && r.bottom > r.top;

  function met(x, y) {
    let hit = document.elementFromPoint(x, y);
    for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit; )
      hit = inner;
    return hit;
  }
  function holds(outer, inner) {
    for (let up = inner; up; up = up.parentNode ?? up.host) if (up === outer) return true;
    return false;
  }
  // Whether a click at some place of it meets the element, its label, or what it is in.
  function clear(e, r) {
    for (const [across, down] of [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]]) {
      const hit = met(r.left + (r.right - r.left) * across, r.top + (r.bottom - r.top) * down);
      if (hit && (holds(e, hit) || holds(hit, e) || hit.closest("label")?.control === e)) return true;
    }
    return false;
  }
  // What a page listens for clicks on, however it was told to; not what holds most of the page.
  function listens(e, rect) {
    const told = e.onclick || window[Symbol.for("listening")]?.has(e);
    return told && rect.width * rect.height < 0.4 * innerWidth * innerHeight;
  }
  function acts(e, style, pointing, rect) {
    if (e.tagName === "LABEL" && e.control?.getClientRects().length) return false;
    // Without an address it is a script's, which may listen for it from afar: then it carries data.
    if (e.tagName === "A" && Object.keys(e.dataset).length) return true;
    if (e.tagName === "A") return e.hasAttribute("href") || (style.cursor === "pointer" && !pointing);
    if (TAGS.has(e.tagName)) return e.type !== "hidden";
    if (ROLES.has(e.getAttribute("role")) || listens(e, rect)) return true;
    if (e.isContentEditable) return !e.parentElement?.isContentEditable;
    if (e.hasAttribute("tabindex") && e.tabIndex >= 0) return true;
    return style.cursor === "pointer" && !pointing;
  }
  function scrolled(e, style) {
    if (e === document.scrollingElement) return null;
    const able = (overflow) => overflow === "auto" || overflow === "scroll";
    const down = able(style.overflowY) && e.scrollHeight > e.clientHeight + 4;
    const across = able(style.overflowX) && e.scrollWidth > e.clientWidth + 4;
    if (!e.clientHeight || !(down || across)) return null;
    return {
      above: down ? e.scrollTop / e.clientHeight : 0,
      below: down ? (e.scrollHeight - e.clientHeight - e.scrollTop) / e.clientHeight : 0,
      across,
    };
  }
  function about(e) {
    const told = [];
    for (const name of SHOWN.split(" ")) {
      const value = plain(e.getAttribute(name) ?? "");
      if (value) told.push([name, short(value)]);
    }
    const label = e.labels?.length ? plain([...e.labels].map((one) => one.innerText).join(" ")) : "";
    if (label) told.push(["label", short(label)]);
    if (e.tagName === "SELECT") {
      told.push(["value", short([...e.selectedOptions].map((one) => plain(one.text)).join(", "))]);
      told.push(["options", String(e.options.length)]);
    } else if (e.type === "checkbox" || e.type === "radio") {
      if (e.checked) told.push(["checked", ""]);
    } else if (e.type === "file") {
      told.push(["files", [...e.files].map((one) => one.name).join(", ")]);
    } else if ((e.tagName === "INPUT" || e.tagName === "TEXTAREA") && e.value) {
      told.push(["value", e.type === "password" ? "•".repeat(e.value.length) : short(e.value)]);
    }
    for (const name of ["disabled", "required", "readOnly", "multiple"])
      if (e[name] === true) told.push([name.toLowerCase(), ""]);
    if (e.tagName === "DETAILS" || e.tagName === "SUMMARY") told.push(["open", String(!!e.closest("details")?.open)]);
    return told;
  }
  function say(depth, raw) {
    const last = lines.at(-1), text = plain(raw);
    if (joint === " " && !open && !/^\s/.test(raw)) joint = "";
    if (!apart && last?.text !== undefined && last.depth === depth) last.text += joint + text;
    else lines.push({ depth, text });
    (apart = false), (joint = " "), (open = /\s$/.test(raw));
  }

  // `room` is where something may show: `exact` now, `wide` after some scrolling. `held` is the same for
  // what is positioned absolutely: it escapes from boxes that are not positioned themselves.
  function walk(e, depth, room, held, pointing, faint) {
    if (SKIPPED.has(e.tagName)) return;
    const style = getComputedStyle(e), file = e.tagName === "INPUT" && e.type === "file";
    if (style.display === "none" && !file) return;
    const hidden = style.visibility !== "visible", pale = faint || style.opacity === "0";
    const cell = style.display === "table-cell";
    const inline = style.display.startsWith("inline") || style.display === "contents";
    if (cell) joint = " | ";
    else if (!inline) apart = true;
    if (style.position === "fixed") room = whole;
    else if (style.position === "absolute") room = held;
    const rect = e.getClientRects()[0], size = rect?.width && rect?.height;
    const near = !size || some(meet(rect, room.wide));
    const scroll = size && !hidden ? scrolled(e, style) : null;
    let inner = depth, acting = false;
    if (file || (size && near && !hidden && style.pointerEvents !== "none")) {
      const shows = size ? meet(rect, room.exact) : null, inView = shows && some(shows);
      acting = file || acts(e, style, pointing, rect);
      apart ||= acting;
      if ((acting || scroll) && (file || !inView || clear(e, shows))) {
        const fresh = !numbers.has(e);
        if (fresh) numbers.set(e, next++);
        elements.set(numbers.get(e), e);
        lines.push({
          depth, n: numbers.get(e), fresh: fresh && !!known, tag: e.tagName.toLowerCase(), told: about(e), scroll,
          at: inView && acting ? [shows.left, shows.top, shows.right, shows.bottom] : null,
        });
        (inner = depth + 1), (apart = true);
      }
    }
    if (size && style.overflow !== "visible" && e !== document.body && e !== document.documentElement)
      room = { exact: meet(room.exact, rect), wide: meet(room.wide, scroll ? wider(rect, margin) : rect) };
    if (style.position !== "static" || style.transform !== "none") held = room;
    const lost = hidden || pale || !near;
    if (e.tagName === "IFRAME" || e.tagName === "FRAME") {
      if (size && !lost && some(meet(rect, room.wide))) {
        const left = rect.left + e.clientLeft, top = rect.top + e.clientTop, part = meet(rect, room.exact);
        frames.push(e);
        lines.push({
          depth, frame: frames.length - 1, left, top,
          view: { left: part.left - left, top: part.top - top, right: part.right - left, bottom: part.bottom - top },
        });
      }
    } else if (e.tagName === "IMG") {
      if (!lost && e.alt && inner === depth) say(inner, ` (image: ${short(plain(e.alt))}) `);
    } else if (!["TEXTAREA", "SELECT", "CANVAS"].includes(e.tagName)) {
      const slotted = e.tagName === "SLOT" ? e.assignedNodes({ flatten: true }) : [];
      for (const child of slotted.length ? slotted : (e.shadowRoot ?? e).childNodes) {
        if (child.nodeType === Node.ELEMENT_NODE) walk(child, inner, room, held, style.cursor === "pointer", pale);
        else if (child.nodeType !== Node.TEXT_NODE || lost) continue;
        else if (plain(child.data)) say(inner, child.data);
        else open = true;
      }
    }
    if (acting || scroll || !(inline || cell)) apart = true;
  }

  const whole = { exact: seen, wide: wider(seen, margin) };
  if (document.body) walk(document.body, 0, whole, whole, false, false);
  const page = document.scrollingElement ?? document.documentElement;
  return {
    numbers, elements, frames,
    told: {
      lines, next,
      above: scrollY / innerHeight,
      below: page ? Math.max(0, (page.scrollHeight - innerHeight - scrollY) / innerHeight) : 0,
    },
  };
};
