import type { ElementHandle, Page } from '@playwright/test';

/** What the keyboard can operate. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [tabindex="0"]';

/** Pixels around a control that its focus mark may take. */
const AROUND = 16;

/** Contrast that WCAG 2.2 (1.4.11) asks of a focus mark. */
const CONTRAST = 3;

/** A control that has the focus or may get it. */
interface Control {
  readonly element: ElementHandle<HTMLElement>;
  readonly name: string;
  /** Controls of one kind look alike. */
  readonly kind: string;
}

async function describe(element: ElementHandle<HTMLElement>): Promise<Control> {
  const description = await element.evaluate(control => {
    const name = control.getAttribute('aria-label') ?? control.textContent;
    return {
      name: `${control.localName} “${(name || control.title).slice(0, 60)}”`,
      kind: [
        control.localName,
        control.className,
        control.parentElement?.className,
        control.getAttribute('aria-pressed'),
      ].join(' '),
    };
  });
  return { element, ...description };
}

/** Sets the focus before the first control of the plugin's part. */
async function startAt(page: Page, ours: string) {
  await page
    .locator(ours)
    .first()
    .evaluate((root: HTMLElement) => {
      const before = root.getAttribute('tabindex');
      root.tabIndex = -1;
      root.focus({ preventScroll: true });
      if (before === null) {
        root.removeAttribute('tabindex');
      }
    });
}

/** The control that has the focus; undefined outside of the plugin's part and where a stop is repeated. */
async function readStop(
  page: Page,
  ours: string,
): Promise<Control | undefined> {
  const focused = await page.evaluateHandle(selector => {
    const element = document.activeElement as HTMLElement;
    const root = element.closest(selector);
    // After its last control, a dialog has the focus itself.
    if (!root || element === root || element.dataset.visited) {
      return undefined;
    }
    element.dataset.visited = 'yes';
    return element;
  }, ours);
  const element = focused.asElement();
  return element ? describe(element) : undefined;
}

/**
 * Whether a control that has the focus shows it, measured on pictures of it with the focus and without it: what another
 * element covers or cuts off does not count.
 */
async function showsFocus(page: Page, { element }: Control): Promise<boolean> {
  const box = await element.evaluate(control => {
    const { x, y, width, height } = control.getBoundingClientRect();
    return { x, y, width, height };
  });
  const viewport = page.viewportSize()!;
  const x = Math.max(0, box.x - AROUND);
  const y = Math.max(0, box.y - AROUND);
  const clip = {
    x,
    y,
    width: Math.min(viewport.width, box.x + box.width + AROUND) - x,
    height: Math.min(viewport.height, box.y + box.height + AROUND) - y,
  };
  const picture = async () =>
    (await page.screenshot({ clip, animations: 'disabled' })).toString(
      'base64',
    );
  const focused = await picture();
  await element.evaluate(control => control.blur());
  const without = await picture();
  await element.evaluate(control => control.focus({ preventScroll: true }));
  const pixels = await page.evaluate(
    async ([contrast, ...pictures]) => {
      const [before, after] = await Promise.all(
        (pictures as string[]).map(async base64 => {
          const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes]));
          const { width, height } = bitmap;
          const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
          canvas.drawImage(bitmap, 0, 0);
          return canvas.getImageData(0, 0, width, height).data;
        }),
      );
      const luminance = (data: Uint8ClampedArray, at: number) => {
        const [r, g, b] = [0, 1, 2].map(channel => {
          const value = data[at + channel] / 255;
          return value <= 0.04045
            ? value / 12.92
            : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      let count = 0;
      for (let at = 0; at < before.length; at += 4) {
        const one = luminance(before, at) + 0.05;
        const other = luminance(after, at) + 0.05;
        if (Math.max(one, other) / Math.min(one, other) >= contrast) {
          count += 1;
        }
      }
      return count;
    },
    [CONTRAST, without, focused] as [number, string, string],
  );
  // A line of one pixel around the control.
  return pixels >= 2 * (box.width + box.height);
}

/**
 * Contrast of the focus mark of a control, by the styles that it and the elements around it and in it have with the focus
 * and without it. 1 where those do not say how the mark looks: browsers draw an `outline: auto` in colours of their own.
 */
function measureFocusStyle(control: HTMLElement): number {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
  /** Relative luminance of colours over each other. */
  function luminance(colors: readonly string[]) {
    for (const color of ['white', ...colors]) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(channel => {
      const value = channel / 255;
      return value <= 0.04045
        ? value / 12.92
        : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function backgrounds(element: Element | null): string[] {
    return element
      ? [
          ...backgrounds(element.parentElement),
          getComputedStyle(element).backgroundColor,
        ]
      : [];
  }
  /** Luminances of everything by which an element or its pseudo-element may show the focus. */
  function luminances(element: Element, pseudo?: string) {
    const style = getComputedStyle(element, pseudo);
    const around = backgrounds(pseudo ? element : element.parentElement);
    const inside = [...around, style.backgroundColor];
    const drawn =
      !pseudo || !['none', 'normal'].includes(style.content) ? inside : around;
    const line = (
      below: readonly string[],
      color: string,
      width: string,
      shape: string,
    ) =>
      luminance(
        parseFloat(width) >= 1 && !['none', 'auto'].includes(shape)
          ? [...below, color]
          : below,
      );
    const ring = /^(.*\)) 0px 0px 0px [1-9]\d*px$/.exec(style.boxShadow);
    return [
      luminance(drawn),
      line(
        parseFloat(style.outlineOffset) < 0 ? inside : around,
        style.outlineColor,
        style.outlineWidth,
        style.outlineStyle,
      ),
      luminance(ring ? [...around, ring[1]] : around),
      ...(['Top', 'Right', 'Bottom', 'Left'] as const).map(side =>
        line(
          drawn,
          style[`border${side}Color`],
          style[`border${side}Width`],
          style[`border${side}Style`],
        ),
      ),
    ];
  }
  const frame = control.parentElement!;
  const parts = [frame, control, ...control.querySelectorAll('*')].filter(
    part => part.checkVisibility(),
  );
  const read = () =>
    parts.flatMap(part =>
      [undefined, '::before', '::after'].flatMap(pseudo =>
        luminances(part, pseudo),
      ),
    );
  control.blur();
  const without = read();
  control.focus();
  const ratios = read().map((focused, index) => {
    const [one, other] = [focused + 0.05, without[index] + 0.05];
    return Math.max(one, other) / Math.min(one, other);
  });
  return Math.max(...ratios);
}

/** Names of controls that were not visited, and of what takes clicks without being a control. */
function findUnreached(page: Page, ours: string): Promise<string[]> {
  return page.evaluate(
    ([selector, controls]) => {
      const all = [...document.querySelectorAll<HTMLElement>(selector)].flatMap(
        root => [...root.querySelectorAll<HTMLElement>('*')],
      );
      const visible = all.filter(
        element =>
          element.checkVisibility() && element.getClientRects().length > 0,
      );
      const isControl = (element: Element) => element.matches(controls);
      const unreached = visible.filter(
        element =>
          isControl(element) &&
          !element.dataset.visited &&
          !element.matches(':disabled'),
      );
      const clickable = visible.filter(
        element =>
          getComputedStyle(element).cursor === 'pointer' &&
          !element.closest(controls) &&
          // A bar's segments repeat the filters beside it, for whoever points at them.
          !element.closest('[role="img"]') &&
          !element.querySelector(controls) &&
          !element.closest('tr:has(button)'),
      );
      return [...unreached, ...clickable].map(
        element => `${element.localName} “${element.textContent}”`,
      );
    },
    [ours, CONTROLS],
  );
}

/** Calls `visit` for each control that the Tab key reaches and, in a grid or a line of tabs, the arrow keys. */
async function walk(
  page: Page,
  ours: string,
  visit: (stop: Control) => Promise<void>,
) {
  /** Presses the key until the focus is where it was before; returns the number of new stops. */
  async function pressWhileNew(key: string, onEach = async () => {}) {
    for (let count = 0; ; count += 1) {
      await page.keyboard.press(key);
      const stop = await readStop(page, ours);
      if (!stop) {
        return count;
      }
      await visit(stop);
      await onEach();
    }
  }
  const alongRow = async () => {
    await pressWhileNew('ArrowRight');
  };
  await pressWhileNew('Tab', async () => {
    const widget = await page.evaluate(() =>
      document.activeElement
        ?.closest('[role=grid], [role=tablist]')
        ?.getAttribute('role'),
    );
    if (widget === 'tablist') {
      await alongRow();
    }
    if (widget === 'grid') {
      await alongRow();
      await pressWhileNew('ArrowDown', alongRow);
      await page.keyboard.press('Home');
      await pressWhileNew('ArrowUp', alongRow);
      // The row that the Tab key reached: from there it goes on.
      await page.keyboard.press('ArrowDown');
    }
  });
}

/**
 * Walks through the plugin's part of a page by keyboard.
 * @param ours - selector of that part
 * @returns the controls whose focus cannot be seen or that no key reaches, and what takes clicks but no key
 */
export async function findKeyboardFaults(
  page: Page,
  ours: string,
): Promise<string[]> {
  await startAt(page, ours);
  const measured = new Set<string>();
  const faults: string[] = [];
  await walk(page, ours, async stop => {
    if (measured.has(stop.kind)) {
      return;
    }
    measured.add(stop.kind);
    if (!(await showsFocus(page, stop))) {
      faults.push(`${stop.name} has no visible focus mark`);
    }
  });
  if (measured.size === 0) {
    faults.push('The Tab key reaches nothing');
  }
  const unreached = await findUnreached(page, ours);
  return [...faults, ...unreached.map(name => `${name} is not reached`)];
}

/**
 * Names of controls whose focus cannot be seen, for a page that was walked through in other colours. Nothing covers or
 * cuts off their marks, as the walk has shown; so their styles tell whether they can be seen.
 * @param ours - selector of the plugin's part
 */
export async function findUnseenFocus(
  page: Page,
  ours: string,
): Promise<string[]> {
  // From here on the browser marks the focus as that of somebody who uses the keyboard.
  await startAt(page, ours);
  await page.keyboard.press('Tab');
  const elements = await page
    .locator(ours)
    .locator(`:is(${CONTROLS}):not(:disabled)`)
    .filter({ visible: true })
    .elementHandles();
  const controls = await Promise.all(
    elements.map(element => describe(element as ElementHandle<HTMLElement>)),
  );
  const oneOfEachKind = new Map(
    [...controls].reverse().map(control => [control.kind, control]),
  ).values();
  const faults: string[] = [];
  for (const control of oneOfEachKind) {
    if (
      (await control.element.evaluate(measureFocusStyle)) < CONTRAST &&
      !(await showsFocus(page, control))
    ) {
      faults.push(`${control.name} has no visible focus mark`);
    }
  }
  return controls.length === 0 ? ['There is no control'] : faults;
}
