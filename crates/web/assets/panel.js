// What every page can do: times in the reader's zone, dialogs, messages, keys.
// It refuses to know what a page is about. Nothing of a page is kept in the browser but the switch of
// the keys.
(() => {
  "use strict";

  const one = (query, root = document) => root.querySelector(query);
  const sentences = one("#sentences")?.dataset ?? {};

  // Times: in the reader's own zone, short, and in full when pointed at.
  const language = document.documentElement.lang;
  const short = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const today = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });
  const tellTimes = (root) => {
    for (const it of root.querySelectorAll("time[data-when]")) {
      const at = new Date(it.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const isToday = at.toDateString() === new Date().toDateString();
      it.textContent = (isToday ? today : short).format(at);
      it.title = full.format(at);
      delete it.dataset.when;
    }
  };

  // Messages that go by themselves, unless they say that something failed.
  const toast = (text, failed = false) => {
    const toasts = one("#toasts");
    if (!toasts || !text) return;
    const made = one("#toast").content.cloneNode(true).firstElementChild;
    made.classList.toggle("failed", failed);
    one("span", made).textContent = text;
    toasts.append(made);
    while (toasts.children.length > 4) toasts.firstElementChild.remove();
    if (!failed) setTimeout(() => made.remove(), 8000);
  };

  // What is said for those who cannot see it change.
  const announce = (text) => {
    const status = one("#status");
    if (status && text) status.textContent = text;
  };

  window.verst = { one, toast, announce, tellTimes, csrf: one('meta[name="csrf"]')?.content ?? "" };

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset.opens);
      if (dialog && !dialog.open) {
        dialog.showModal();
        if (window.htmx) htmx.trigger(dialog, "opened");
      }
    }
    event.target.closest("[data-dismisses]")?.closest(".toast")?.remove();
    event.target.closest("[data-closes]")?.closest("dialog")?.close();
    // Pointing outside a dialog closes it.
    if (event.target instanceof HTMLDialogElement) event.target.close();
  });

  document.addEventListener("htmx:responseError", (event) => {
    const answer = event.detail.xhr;
    const plain = (answer.getResponseHeader("content-type") ?? "").startsWith("text/plain");
    toast(plain ? answer.responseText : sentences.failed, true);
  });
  document.addEventListener("htmx:sendError", () => toast(sentences.offline, true));
  document.addEventListener("htmx:load", (event) => tellTimes(event.detail.elt.parentElement ?? document));
  document.addEventListener("htmx:load", (event) => announce(event.detail.elt.dataset?.says));
  document.addEventListener("htmx:oobAfterSwap", () => {
    for (const it of document.querySelectorAll(".toast:not(.failed)")) setTimeout(() => it.remove(), 8000);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    // A dialog whose form was taken has done its work.
    const { elt, successful } = event.detail;
    if (!successful || !elt.matches("form:not([data-stays])")) return;
    elt.closest("dialog")?.close();
    for (const dialog of elt.querySelectorAll("dialog[open]")) dialog.close();
  });

  // An address to be copied: whole, and as it works from elsewhere.
  document.addEventListener("htmx:load", (event) => {
    for (const it of event.detail.elt.parentElement?.querySelectorAll("[data-whole]") ?? []) {
      it.value = new URL(it.value, location.href).href;
      it.select();
    }
  });

  // How many of a list are ticked.
  const count = () => {
    for (const it of document.querySelectorAll("[data-picked]")) {
      it.textContent = `${it.dataset.picked} ${it.closest("form").querySelectorAll(".tick :checked").length}`;
    }
  };
  document.addEventListener("change", count);
  document.addEventListener("htmx:load", count);

  // Keys, as long as nobody types and nobody turned them off.
  const KEPT = "verst-keys";
  const keysOn = () => localStorage.getItem(KEPT) !== "off";
  const box = one("[data-keys-on]");
  if (box) {
    box.checked = keysOn();
    box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "on" : "off"));
  }
  let went = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (one("dialog[open]")) return;
    if (went) {
      went = false;
      const link = one(`[data-goto="${CSS.escape(event.key)}"]`);
      if (link) { event.preventDefault(); link.click(); }
      return;
    }
    if (event.key === "g") { went = true; setTimeout(() => { went = false; }, 1500); return; }
    const does = { "?": () => one("#keys")?.showModal(), "/": () => one("[data-search]")?.focus() }[event.key];
    if (does) { event.preventDefault(); does(); return; }
    document.dispatchEvent(new CustomEvent("verst:key", { detail: event }));
  });

  tellTimes(document);
})();
