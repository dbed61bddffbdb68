// Hears a recording along with its text: a segment is pointed at to be heard, and the one that is spoken
// is marked. It refuses to know what was said.
(() => {
  "use strict";

  const { one } = window.verst;
  const sound = one("#sound");
  const stands = () => one("#stands");

  // Another text has come when another milestone is reached.
  let milestone = stands()?.dataset.milestone;
  document.addEventListener("htmx:load", () => {
    const now = stands()?.dataset.milestone;
    if (now && now !== milestone) htmx.trigger("#text", "stale");
    milestone = now;
  });

  // One dialog to put any segment right.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-reword]");
    if (!button) return;
    const text = one(".segment-text", button.closest(".segment")).textContent;
    const form = one("#reword form");
    form.elements.index.value = button.dataset.reword;
    form.elements.was.value = text;
    form.elements.text.value = text;
    one("#reword-restore").hidden = !("corrected" in button.dataset);
    one("#reword").showModal();
  });

  if (!sound) return;
  const follow = one("#follow");
  const speed = one("#speed");
  let segments = [];
  let spoken = null;

  const gather = () => {
    segments = [...document.querySelectorAll("#text .segment")].map((element) => ({
      element, from: Number(element.dataset.from) / 1000, until: Number(element.dataset.until) / 1000,
    }));
    spoken = null;
    mark();
  };

  // The last one that has begun.
  const at = (time) => {
    let [low, high] = [0, segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments[middle].from <= time + 0.05) low = middle + 1; else high = middle;
    }
    return low - 1;
  };

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const mark = () => {
    const found = segments[at(sound.currentTime)];
    const now = found && (sound.currentTime > 0 || !sound.paused) ? found.element : null;
    if (now === spoken) return;
    if (spoken) { spoken.classList.remove("spoken"); spoken.removeAttribute("aria-current"); }
    spoken = now;
    if (!now) return;
    now.classList.add("spoken");
    now.setAttribute("aria-current", "true");
    if (follow.checked && !sound.paused) {
      now.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
    }
  };

  const hear = (seconds, play = true) => {
    sound.currentTime = Math.max(0, seconds);
    if (play) sound.play().catch(() => {});
    mark();
  };

  document.addEventListener("click", (event) => {
    const segment = event.target.closest("#text .segment");
    // Whoever selects words wants to copy them.
    if (!segment || String(getSelection())) return;
    if (event.target.closest("a, input, textarea, button:not(.segment-at)")) return;
    hear(Number(segment.dataset.from) / 1000);
  });

  sound.addEventListener("timeupdate", mark);
  sound.addEventListener("seeked", mark);
  sound.addEventListener("error", () => { one("#sound-mute").hidden = false; });
  speed.addEventListener("change", () => { sound.playbackRate = Number(speed.value); });

  const faster = (step) => {
    const next = speed.selectedIndex + step;
    if (next < 0 || next >= speed.options.length) return;
    speed.selectedIndex = next;
    sound.playbackRate = Number(speed.value);
  };
  const beside = (step) => {
    const found = segments[Math.min(Math.max(at(sound.currentTime) + step, 0), segments.length - 1)];
    if (found) hear(found.from, !sound.paused);
  };
  const toggle = () => (sound.paused ? sound.play().catch(() => {}) : sound.pause());

  document.addEventListener("verst:key", ({ detail: event }) => {
    const onControl = event.target.closest("button, a, summary, audio");
    const does = {
      k: toggle,
      " ": onControl ? null : toggle,
      j: () => hear(sound.currentTime - 5, false),
      l: () => hear(sound.currentTime + 5, false),
      ArrowUp: event.target.closest("audio") ? null : () => beside(-1),
      ArrowDown: event.target.closest("audio") ? null : () => beside(1),
      "<": () => faster(-1),
      ">": () => faster(1),
      f: () => follow.click(),
      e: () => one("#edit-open")?.click(),
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  document.addEventListener("htmx:load", (event) => {
    if (event.detail.elt.id === "text") gather();
  });
  gather();

  // From a search: the place that was found.
  const asked = /^#at-(\d+)$/.exec(location.hash);
  if (asked) hear(Number(asked[1]) / 1000, false);
})();
