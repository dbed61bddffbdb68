// Hands things in: files that are dropped, chosen or pasted, magnets and addresses that are pasted.
//
// It only guesses what a thing is, to say it; what it is decides the service, by the bytes. At most two
// things are on their way at a time. A thing that broke off is sent again under the same key, so that
// nothing is taken in twice.
(() => {
  "use strict";

  const { one, toast, csrf } = window.verst;
  const drop = one("#drop");
  const says = one("#upload-says").dataset;
  const list = one("#uploads-list");
  const AT_ONCE = 2;
  const queue = [];
  let running = 0;

  const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((it) => it.toString(16).padStart(2, "0")).join("");

  // A torrent is one by its name or by how it begins: a dictionary in bencoding.
  const isTorrent = async (file) => {
    if (/\.torrent$/i.test(file.name) || file.type === "application/x-bittorrent") return true;
    if (file.size > 10 * 1024 * 1024) return false;
    const head = await file.slice(0, 16).text().catch(() => "");
    return /^d\d+:/.test(head);
  };

  const show = (thing) => {
    const row = one("#upload").content.cloneNode(true).firstElementChild;
    one(".upload-name", row).textContent = thing.name;
    one(".upload-kind", row).textContent = says[thing.kind];
    for (const it of row.querySelectorAll(".upload-of")) it.textContent = ` ${thing.name}`;
    one(".upload-cancel", row).addEventListener("click", () => cancel(thing));
    one(".upload-again", row).addEventListener("click", () => { thing.ended = false; stand(thing, "waits"); queue.push(thing); next(); });
    list.append(row);
    one("#uploads").hidden = false;
    thing.row = row;
    stand(thing, "waits");
  };

  const stand = (thing, state, text) => {
    const { row } = thing;
    one(".upload-stand", row).textContent = text ?? says[state];
    const going = state === "waits" || state === "sends" || state === "stores";
    const failed = state === "failed";
    row.classList.toggle("upload-failed", failed);
    one("progress", row).hidden = !going;
    one(".upload-cancel", row).hidden = !going;
    one(".upload-again", row).hidden = !(failed || state === "cancelled");
    thing.state = state;
    thing.ended = !going;
  };

  const cancel = (thing) => {
    const waits = queue.indexOf(thing);
    if (waits >= 0) { queue.splice(waits, 1); stand(thing, "cancelled"); }
    thing.sending?.abort();
  };

  // One request; its answer as a value.
  const send = (thing, path, body, kind, headers = {}) => new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    thing.sending = sending;
    sending.open("POST", path);
    sending.setRequestHeader("Content-Type", kind);
    sending.setRequestHeader("X-CSRF-Token", csrf);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    const bar = one("progress", thing.row);
    sending.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) { bar.removeAttribute("value"); return; }
      const percent = event.total ? Math.floor((event.loaded / event.total) * 100) : 100;
      bar.value = percent;
      stand(thing, "sends", `${says.sends}, ${percent} %`);
    });
    sending.upload.addEventListener("load", () => { bar.removeAttribute("value"); stand(thing, "stores"); });
    sending.addEventListener("load", () => {
      let answer = {};
      try { answer = JSON.parse(sending.responseText); } catch { /* no sentence, then */ }
      resolve({ status: sending.status, answer });
    });
    sending.addEventListener("error", () => resolve({ status: 0, answer: {} }));
    sending.addEventListener("abort", () => resolve({ status: -1, answer: {} }));
    sending.send(body);
  });

  const json = "application/json";
  const hand = async (thing) => {
    const again = { "Idempotency-Key": thing.key };
    if (thing.kind === "torrent") return send(thing, "/api/v1/downloads", thing.file, "application/x-bittorrent");
    if (thing.kind === "recording") {
      const name = { "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(thing.file.name).replace(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)}` };
      return send(thing, "/api/v1/recordings", thing.file, "application/octet-stream", { ...again, ...name });
    }
    if (thing.kind === "magnet" || drop.dataset.downloads === "true") {
      const got = await send(thing, "/api/v1/downloads", JSON.stringify({ link: thing.text }), json);
      if (thing.kind === "magnet" || got.answer.code !== "is_recording") return got;
    }
    return send(thing, "/api/v1/recordings", JSON.stringify({ url: thing.text }), json, again);
  };

  const next = () => {
    while (running < AT_ONCE && queue.length > 0) {
      const thing = queue.shift();
      running += 1;
      stand(thing, "sends");
      hand(thing).then(({ status, answer }) => {
        running -= 1;
        delete thing.sending;
        if (status === 200 || status === 201) {
          const first = answer.downloads?.[0];
          stand(thing, status === 201 ? "taken" : "known");
          const open = one(".upload-open", thing.row);
          open.href = first ? `/downloads/${first.id}` : `/recordings/${answer.id}`;
          open.hidden = false;
          htmx.trigger("#motion", "stale");
        } else if (status === -1) stand(thing, "cancelled");
        else if (status === 401) location.reload();
        else stand(thing, "failed", answer.detail ?? says.broken);
        next();
      });
    }
  };

  const take = (thing) => {
    thing.key = random();
    show(thing);
    queue.push(thing);
    next();
  };

  const takeFiles = async (files) => {
    for (const file of files) {
      take({ kind: await isTorrent(file) ? "torrent" : "recording", name: file.name, file });
    }
  };

  // Magnets anywhere in a text, and addresses.
  const takeText = (text) => {
    const magnets = text.match(/magnet:\?[^\s"'<>]+/gi) ?? [];
    const rest = text.replace(/magnet:\?[^\s"'<>]+/gi, " ");
    const addresses = rest.match(/https?:\/\/[^\s"'<>]+/gi) ?? [];
    if (magnets.length + addresses.length === 0) { toast(says.nothing, true); return false; }
    const called = (magnet) => {
      try { return new URLSearchParams(magnet.slice(8)).get("dn") ?? magnet.slice(0, 60); } catch { return magnet.slice(0, 60); }
    };
    for (const text of magnets.slice(0, 50)) take({ kind: "magnet", name: called(text), text });
    for (const text of addresses.slice(0, 50)) take({ kind: "address", name: text, text });
    return true;
  };

  one("#take").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = one("#link");
    if (takeText(field.value)) field.value = "";
    field.focus();
  });
  one("#link").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); one("#take").requestSubmit(); }
  });
  one("#choose-files").addEventListener("click", () => one("#files").click());
  one("#files").addEventListener("change", ({ target }) => { takeFiles([...target.files]); target.value = ""; });
  one("#uploads-clear").addEventListener("click", () => {
    for (const row of [...list.children]) if (one(".upload-cancel", row).hidden) row.remove();
    one("#uploads").hidden = list.children.length === 0;
  });

  // The whole page is the place to drop.
  let over = 0;
  const carries = (event) => [...(event.dataTransfer?.types ?? [])].some((it) => it === "Files" || it === "text/uri-list" || it === "text/plain");
  addEventListener("dragenter", (event) => { if (carries(event)) { over += 1; drop.classList.add("over"); } });
  addEventListener("dragleave", () => { over = Math.max(0, over - 1); if (over === 0) drop.classList.remove("over"); });
  addEventListener("dragover", (event) => { if (carries(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over = 0;
    drop.classList.remove("over");
    const files = [...event.dataTransfer.files];
    if (files.length > 0) takeFiles(files);
    else takeText(event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text/plain"));
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) { event.preventDefault(); takeFiles(files); return; }
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (/magnet:\?|https?:\/\//i.test(text)) { event.preventDefault(); takeText(text); }
  });
  addEventListener("beforeunload", (event) => { if (running + queue.length > 0) event.preventDefault(); });
})();
