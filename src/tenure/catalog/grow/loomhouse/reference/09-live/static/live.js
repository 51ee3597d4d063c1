// Keeps parts of an open page up to date: fetches the page again and exchanges what has changed.
"use strict";
const PARTS = '[id^="free"], #seat, #waiting, #people, #unread';
const PAUSE = 1500;

// Tokens differ in every copy of a page and are no change; what a person did to a field is theirs. Nor is the
// price that a form was shown with: whoever has not seen a new one must not pay it.
function essence(part) {
  const copy = part.cloneNode(true);
  const own = copy.querySelectorAll('input[name="once"], input[name="price"]');
  own.forEach((field) => field.removeAttribute("value"));
  return copy.outerHTML;
}

function touched(part) {
  return [...part.querySelectorAll("input:not([type=hidden])")].filter(
    (field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue,
  );
}

function exchange(old, fresh) {
  const kept = touched(old);
  const seen = old.querySelector('input[name="price"]');
  const now = fresh.querySelector('input[name="price"]');
  if (seen && now) now.value = seen.value;
  old.replaceWith(fresh);
  for (const field of kept) {
    for (const twin of fresh.querySelectorAll("input")) {
      if (twin.name !== field.name) continue;
      if (twin.type !== "checkbox") twin.value = field.value;
      else if (twin.value === field.value) twin.checked = field.checked;
    }
  }
}

async function refresh() {
  try {
    const answer = await fetch(location.href, { headers: { "X-Live": "1" } });
    if (answer.ok && answer.url === location.href.split("#")[0]) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll(PARTS)) {
        const fresh = page.getElementById(old.id);
        if (fresh && essence(fresh) !== essence(old)) exchange(old, document.importNode(fresh, true));
      }
    }
  } catch {
    // The next try may reach the site again.
  }
  setTimeout(refresh, PAUSE);
}

setTimeout(refresh, PAUSE);
