/** What an element must have itself to match a selector, whatever is around it. */
interface Need {
  readonly tag: string | undefined;
  readonly className: string | undefined;
  readonly attribute: string | undefined;
}

/** The part of jsdom that tells whether the selectors of a rule match an element. */
interface DomSelector {
  check(
    selectors: string,
    element: Element,
  ): { readonly match: boolean; readonly pseudoElement: string | null };
}

/** @returns what each of the selectors needs; undefined if they have syntax that this function does not know */
function needsOf(selectors: string): readonly Need[] | undefined {
  if (/[\\'|&]/.test(selectors)) {
    return undefined;
  }
  let plain = selectors
    .replace(/"[^"]*"/g, '')
    .replace(/\[\s*([\w-]+)[^\]]*\]/g, '[$1]');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, '');
  }
  return plain.split(',').map(selector => {
    const last = selector
      .trim()
      .split(/[\s>+~]+/)
      .pop()!;
    return {
      tag: /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase(),
      className: /\.([\w-]+)/.exec(last)?.[1],
      attribute: /\[([\w-]+)/.exec(last)?.[1],
    };
  });
}

/** What these functions use of jsdom's own object for a document. */
interface DocumentImpl {
  readonly _domSelector: DomSelector;
  /** Styles of elements as of the rules; another object after each change of the document. */
  readonly _styleCache: object | null;
}

function implOf(document: Document): DocumentImpl {
  const impl = Object.getOwnPropertySymbols(document).find(
    ({ description }) => description === 'impl',
  );
  return (document as any)[impl!];
}

/** Of the rules, leaves those for jsdom to match whose tag, class or attribute the element has, as browsers do. */
function skipRules(domSelector: DomSelector): void {
  const { check } = domSelector;
  const needs = new Map<string, readonly Need[] | undefined>();
  domSelector.check = (selectors, element) => {
    if (!needs.has(selectors)) {
      needs.set(selectors, needsOf(selectors));
    }
    const mayMatch =
      needs
        .get(selectors)
        ?.some(
          ({ tag, className, attribute }) =>
            (!tag || tag === element.localName.toLowerCase()) &&
            (!className || element.classList.contains(className)) &&
            (!attribute || element.hasAttribute(attribute)),
        ) ?? true;
    return mayMatch
      ? check(selectors, element)
      : { match: false, pseudoElement: null };
  };
}

/** Keeps the style of an element until the document changes. */
function keepStyles(window: Window, document: DocumentImpl): void {
  const { getComputedStyle } = window;
  const kept = new WeakMap<object, WeakMap<Element, CSSStyleDeclaration>>();
  window.getComputedStyle = (element, pseudoElement) => {
    const known =
      document._styleCache && kept.get(document._styleCache)?.get(element);
    if (known && !pseudoElement) {
      return known;
    }
    const style = getComputedStyle(element, pseudoElement);
    const cache = document._styleCache;
    if (cache && !pseudoElement) {
      kept.set(cache, (kept.get(cache) ?? new WeakMap()).set(element, style));
    }
    return style;
  };
}

/**
 * Makes `getComputedStyle` quick, which every query by role calls for many elements: jsdom matches each rule of the page
 * with each of them, and that took most of the time of the tests. The styles are the same.
 */
export function quickenStyles(window: Window): void {
  const document = implOf(window.document);
  skipRules(document._domSelector);
  keepStyles(window, document);
}
