// Keeps a page as things stand, by the events of the service.
//
// An event only says that something moved: whatever shows it is fetched anew, so what is shown is
// always what a page would show. To be kept up to date, an element has `data-work` with a number, and
// `hx-get` with `hx-trigger="stale"`; a list that wants what is new has `data-arrivals` and the same.
(() => {
  "use strict";

  const { announce } = window.verst;
  const stale = (element) => htmx.trigger(element, "stale");
  let later;

  // Many arrive at once: their lists are fetched once.
  const arrivals = () => {
    clearTimeout(later);
    later = setTimeout(() => document.querySelectorAll("[data-arrivals]").forEach(stale), 300);
  };

  const moved = (event) => {
    let id;
    try { id = JSON.parse(event.data).id; } catch { return; }
    const shown = document.querySelectorAll(`[data-work="${Number(id)}"]`);
    if (shown.length === 0 && event.type !== "deleted") arrivals();
    for (const element of shown) {
      if (event.type === "deleted" && element.matches("li")) element.remove();
      else stale(element);
    }
  };

  const everything = () => {
    arrivals();
    document.querySelectorAll("[data-work]:not([data-arrivals] *)").forEach(stale);
  };

  let opened = false;
  const listen = () => {
    const source = new EventSource("/api/v1/events");
    for (const kind of ["recording", "download", "deleted"]) source.addEventListener(kind, moved);
    source.addEventListener("missed", everything);
    source.addEventListener("open", () => {
      // What happened before somebody listened, or while they were away.
      if (opened) everything(); else arrivals();
      opened = true;
    });
    source.addEventListener("error", () => {
      // It comes back by itself from a broken connection, and not from a refusal.
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 30000);
    });
    addEventListener("pagehide", () => source.close());
  };
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // Tells of a step that was reached, and of none of the percents in between.
  const known = new Map();
  const note = (element) => {
    const { work, said } = element.dataset;
    if (!said) return;
    if (known.has(work) && known.get(work) !== said) announce(said);
    known.set(work, said);
  };
  document.addEventListener("htmx:load", (event) => {
    const root = event.detail.elt;
    if (root.matches?.("[data-said]")) note(root);
    root.querySelectorAll?.("[data-said]").forEach(note);
  });

  listen();
})();
