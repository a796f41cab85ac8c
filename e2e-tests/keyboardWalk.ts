import type { Page } from '@playwright/test';

/** What the keyboard can operate. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [tabindex="0"]';

/** Pixels around a control that its focus mark may take. */
const AROUND = 16;

/** Contrast that WCAG 2.2 (1.4.11) asks of a focus mark. */
const CONTRAST = 3;

/** The control that has the focus. */
interface Stop {
  readonly name: string;
  /** Controls of one kind look alike. */
  readonly kind: string;
  /** In pixels of the viewport. */
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
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
function readStop(page: Page, ours: string): Promise<Stop | undefined> {
  return page.evaluate(selector => {
    const element = document.activeElement as HTMLElement;
    const root = element.closest(selector);
    // After its last control, a dialog has the focus itself.
    if (!root || element === root || element.dataset.visited) {
      return undefined;
    }
    element.dataset.visited = 'yes';
    const { x, y, width, height } = element.getBoundingClientRect();
    const name = element.getAttribute('aria-label') ?? element.textContent;
    return {
      name: `${element.localName} “${(name || element.title).slice(0, 60)}”`,
      kind: [
        element.localName,
        element.className,
        element.parentElement?.className,
        element.getAttribute('aria-pressed'),
      ].join(' '),
      box: { x, y, width, height },
    };
  }, ours);
}

/**
 * Number of pixels that the focus changes with enough contrast, measured on pictures of the control with the focus and
 * without it: what another element covers or cuts off does not count.
 */
async function countMarkPixels(page: Page, { box }: Stop): Promise<number> {
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
  const control = await page.evaluateHandle(() => document.activeElement!);
  await control.evaluate((element: HTMLElement) => element.blur());
  const without = await picture();
  await control.evaluate((element: HTMLElement) =>
    element.focus({ preventScroll: true }),
  );
  return page.evaluate(
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
          !element.matches(':disabled, [role=tab][aria-selected=false]'),
      );
      const clickable = visible.filter(
        element =>
          getComputedStyle(element).cursor === 'pointer' &&
          !element.closest(controls) &&
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

/** Calls `visit` for each control that the Tab key reaches, and in a grid the arrow keys. */
async function walk(
  page: Page,
  ours: string,
  visit: (stop: Stop) => Promise<void>,
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
    const inGrid = await page.evaluate(() =>
      Boolean(document.activeElement?.closest('[role=grid]')),
    );
    if (inGrid) {
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
    const { width, height } = stop.box;
    const pixels = await countMarkPixels(page, stop);
    // A line of one pixel around the control.
    if (pixels < 2 * (width + height)) {
      faults.push(`${stop.name} has no visible focus mark`);
    }
  });
  if (measured.size === 0) {
    faults.push('The Tab key reaches nothing');
  }
  const unreached = await findUnreached(page, ours);
  return [...faults, ...unreached.map(name => `${name} is not reached`)];
}
