/** What a page shows that is hard to read. */
import type { Page } from 'playwright-core';

/** Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function faintTexts(shown: Page): Promise<string[]> {
  return shown.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const groundOf = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const color = getComputedStyle(element).backgroundColor;
      return channels(color)[3] === 0 ? groundOf(element.parentElement) : color;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = new Set<string>();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.textContent ?? '').trim();
      if (element === null || text === '' || element.closest(':disabled, noscript')) continue;
      if (!element.checkVisibility()) continue;
      const [one, other] = [getComputedStyle(element).color, groundOf(element)].map(luminance);
      const high = Math.max(one ?? 0, other ?? 0);
      const low = Math.min(one ?? 0, other ?? 0);
      if ((high + 0.05) / (low + 0.05) < 4.5) faint.add(text.slice(0, 40));
    }
    return [...faint];
  });
}
