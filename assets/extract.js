// The extraction script: one look at one page.
//
// It is one function, evaluated once per check inside the page. It waits until
// the page has settled and then hands over what a person could see there: the
// elements that carry text, links, pictures or form fields, in page order, with
// their parents. It decides nothing. Which links are listings, what a price is
// and whether the page was refused is decided in Go, where it has tables and
// tests.
//
// The result is a JSON string, because a string crosses from the browser to the
// program many times faster than a tree of objects.
//
// options:
//   settle_ms  longest wait for the page to settle; 0: do not wait at all
//   quiet_ms   how long the listing count must stay the same
//   scroll     the portal adds listings as one scrolls
//   marks      name -> CSS selectors; elements that match carry the name
//   hints      source of a regular expression: only class names, ids and test
//              ids that match it are handed over, as most of them mean nothing
//   max_nodes  the most elements and texts that are handed over
async (options) => {
  // Elements that show nothing themselves.
  const skipped = new Set(['script', 'style', 'template', 'svg', 'head', 'link', 'meta', 'object', 'canvas', 'audio', 'video', 'option']);
  // data- attributes whose names promise a fact rather than wiring.
  const telling = /(^data-|[-_])(id|adid|url|href|link|price|days?|age|date|published|created|size|area|rooms?|title|brand|status|count|total)([-_]|$)|days/;
  const started = performance.now();
  const settling = options.settle_ms > 0 ? await settle() : { settled: true, waited_ms: 0 };
  return JSON.stringify({ ...settling, ...describeDocument(), ...describeElements() });

  // Settling
  //
  // A fixed sleep is too long on a quick page and too short on a slow one, and
  // network idle never comes on a page with advertisements. What counts is the
  // number of listings: it is stable when it has not changed for a while.
  async function settle() {
    const deadline = started + options.settle_ms;
    let last = signature();
    let changed = performance.now();
    let dirty = false;
    const observer = new MutationObserver(() => { dirty = true; });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    try {
      for (;;) {
        const now = performance.now();
        if (now - changed >= quietFor(last) && !(options.scroll && scrollOn())) {
          return { settled: true, waited_ms: Math.round(now - started) };
        }
        if (now >= deadline) return { settled: false, waited_ms: Math.round(now - started) };
        await pause(Math.min(50, Math.max(1, deadline - now)));
        if (!dirty) continue;
        dirty = false;
        const current = signature();
        if (current.text !== last.text) changed = performance.now();
        last = current;
      }
    } finally {
      observer.disconnect();
      if (options.scroll) window.scrollTo(0, 0);
    }
  }

  // The listing count, as far as it can be told without knowing the site:
  // distinct links with a number or a long token in them, amounts of money, and
  // placeholders that wait to be replaced. Texts as such do not count, or a
  // clock on the page would keep it from ever settling.
  function signature() {
    const links = new Set();
    for (const a of document.links) {
      const path = a.pathname + a.search;
      if (/\d{3,}|[0-9a-f]{6,}/i.test(path)) links.add(path);
    }
    const body = document.body;
    const money = body ? (body.innerText.match(/[€£$]|\b(?:EUR|CHF|GBP|USD|zł|kr|Kč)\b/g) || []).length : 0;
    const waiting = document.querySelectorAll(
      '[aria-busy="true"], [class*="skeleton" i], [class*="shimmer" i], [class*="placeholder-card" i]').length;
    return { count: links.size, waiting, text: `${links.size} ${money} ${waiting}` };
  }

  // How long a count must stand still before it is believed. A page without a
  // single candidate has most likely not been filled yet, one with a few may get
  // its rest in a second burst, and visible placeholders say so themselves.
  function quietFor({ count, waiting }) {
    if (document.readyState === 'loading') return Infinity;
    if (waiting > 0 && count < 3) return options.settle_ms;
    if (count === 0) return options.quiet_ms * 6;
    if (count < 8 || waiting > 0) return options.quiet_ms * 4;
    return options.quiet_ms;
  }

  // Scrolls one screen further, and says whether there was further to go.
  function scrollOn() {
    const before = window.scrollY;
    window.scrollBy(0, window.innerHeight * 0.9);
    return window.scrollY > before + 1;
  }

  // The document as a whole.
  function describeDocument() {
    const scripts = [];
    let state = 0;
    for (const script of document.scripts) {
      if (script.src) scripts.push(cut(script.src, 200));
      else state += script.textContent.length;
    }
    const marks = {};
    for (const [name, selectors] of Object.entries(options.marks || {})) {
      marks[name] = selectors.filter((selector) => matches(selector).length > 0);
    }
    return {
      url: location.href,
      base: document.baseURI,
      title: cut(document.title, 300),
      lang: document.documentElement ? document.documentElement.lang : '',
      scripts: scripts.slice(0, 100),
      state_chars: state,
      marks,
    };
  }

  // The elements, in page order. Whatever carries nothing, and holds nothing that
  // does, is left out.
  function describeElements() {
    const marked = new Map();
    for (const [name, selectors] of Object.entries(options.marks || {})) {
      for (const selector of selectors) {
        for (const element of matches(selector)) {
          const names = marked.get(element) || [];
          if (!names.includes(name)) names.push(name);
          marked.set(element, names);
        }
      }
    }
    const hints = new RegExp(options.hints || '(?!)', 'i');
    const nodes = [];
    const limit = options.max_nodes || 60000;
    let cutOff = false;
    if (document.body) walk(document.body, -1, false);
    return { nodes: prune(nodes), cut: cutOff };

    // An explicit stack instead of recursion: pages with thousands of nested
    // elements exist, and a stack overflow would lose the page.
    function walk(root) {
      const stack = [[root, -1, false]];
      while (stack.length > 0) {
        if (nodes.length >= limit) { cutOff = true; return; }
        const [node, parent, hidden] = stack.pop();
        if (node.nodeType === Node.TEXT_NODE) {
          addText(node, parent, hidden);
          continue;
        }
        const tag = node.localName;
        if (skipped.has(tag)) continue;
        const record = describe(node, tag, parent);
        const unseen = hidden || !visible(node);
        if (unseen) record.x = 1;
        if (marked.has(node)) record.m = marked.get(node);
        const index = nodes.push(record) - 1;
        if (tag === 'noscript' && !node.firstElementChild) continue;
        const children = (node.shadowRoot || node).childNodes;
        for (let i = children.length - 1; i >= 0; i--) {
          const type = children[i].nodeType;
          if (type === Node.ELEMENT_NODE || type === Node.TEXT_NODE) stack.push([children[i], index, unseen]);
        }
      }
    }

    // Frameworks split one text into several nodes with comments between them
    // ("£1,800", " pcm"): they are one text again here.
    function addText(node, parent, hidden) {
      const text = cut(node.data.replace(/[ \t\r\n\f]+/g, ' '), 2000);
      if (text === '' || text === ' ') return;
      const previous = nodes[nodes.length - 1];
      if (previous && previous.t === undefined && previous.p === parent) previous.s = cut(previous.s + text, 2000);
      else nodes.push(hidden ? { p: parent, s: text, x: 1 } : { p: parent, s: text });
    }

    function describe(node, tag, parent) {
      const record = { p: parent, t: tag };
      const attribute = (name) => node.getAttribute(name) || '';
      if (tag === 'a' || tag === 'area') {
        if (attribute('href')) record.h = cut(String(node.href), 2000);
        if (attribute('rel')) record.r = attribute('rel');
      } else if (tag === 'img' || tag === 'source') {
        const sources = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-srcset', 'srcset', 'src']
          .map(attribute).filter((value) => value && !value.startsWith('data:')).map((value) => cut(value, 1000));
        if (sources.length > 0) record.i = sources;
      } else if (tag === 'noscript' && !node.firstElementChild) {
        const inside = node.textContent;
        if (/<img/i.test(inside)) record.n = cut(inside, 3000);
      } else if (tag === 'input' || tag === 'button' || tag === 'select' || tag === 'textarea') {
        record.y = node.type || '';
        if (attribute('name')) record.v = cut(attribute('name'), 60);
        if (tag === 'input' && /^(submit|button)$/.test(record.y)) record.s = cut(node.value, 100);
      } else if (tag === 'form') {
        record.h = cut(attribute('action'), 500);
        record.y = 'form';
      } else if (tag === 'iframe') {
        record.h = cut(attribute('src'), 500);
      } else if (tag === 'time' && attribute('datetime')) {
        record.v = cut(attribute('datetime'), 60);
      }
      const label = attribute('aria-label') || attribute('alt') || attribute('title') || attribute('placeholder');
      if (label) record.a = cut(label, 300);
      if (attribute('role')) record.o = attribute('role');
      const style = attribute('style');
      if (style.includes('url(')) record.b = cut(style, 1000);
      const named = [attribute('class'), node.id, attribute('data-testid'), attribute('data-test')].filter((value) => hints.test(value));
      if (named.length > 0) record.c = cut(named.join(' '), 400);
      for (const { name, value } of node.attributes) {
        if (name.startsWith('data-') && value.length > 0 && value.length <= 300 && telling.test(name)) {
          (record.d = record.d || {})[name.slice(5)] = value;
        }
      }
      return record;
    }
  }

  // Leaves out what carries nothing, from the end to the beginning, so that a
  // wrapper of nothing goes as well.
  function prune(nodes) {
    const kept = new Array(nodes.length).fill(false);
    for (let i = nodes.length - 1; i >= 0; i--) {
      const { p, s, h, i: images, n, y, b, m, a, d, t } = nodes[i];
      if (s || h || images || n || y || b || m || (a && t !== 'svg') || d) kept[i] = true;
      if (kept[i] && p >= 0) kept[p] = true;
    }
    const place = [];
    const out = [];
    nodes.forEach((node, i) => {
      if (!kept[i]) return;
      place[i] = out.length;
      if (node.p >= 0) node.p = place[node.p];
      out.push(node);
    });
    return out;
  }

  // A selector that this browser does not know must not lose the page.
  function matches(selector) {
    try { return document.querySelectorAll(selector); } catch { return []; }
  }

  function visible(element) {
    if (element.hidden) return false;
    if (!element.checkVisibility) return true;
    return element.checkVisibility({ visibilityProperty: true });
  }

  function cut(text, length) {
    return text.length > length ? text.slice(0, length) : text;
  }
}
