import { escapeHtml } from '../escape-html.ts';
import { colours } from './icons.ts';
import type { PageView } from './view.ts';

const words: Record<PageView['overall']['state'], string> = {
  up: 'up',
  down: 'down',
  incident: 'incident',
  maintenance: 'maintenance',
  unknown: 'not observed',
};
const longest = 40;
const padding = 6;

/** Returns a badge for a README as SVG, with the name of the page and its state in a word. */
export function renderBadge({ name, overall }: PageView): string {
  const colour = colours[overall.state];
  const word = words[overall.state];
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  const label = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : name;
  const [left, right] = [widthOf(label) + 2 * padding, widthOf(word) + 2 * padding];
  const title = escapeHtml(`${label}: ${word}`);
  const text = (at: number, what: string) =>
    `<text x="${at}" y="14" textLength="${widthOf(what)}" lengthAdjust="spacingAndGlyphs">${escapeHtml(what)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}"><title>${title}</title><rect width="${left}" height="20" fill="#3b424b"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(padding, label)}${text(left + padding, word)}</g></svg>`;
}

/**
 * Returns the estimated width of a text. The server cannot measure the text, so the reader's browser stretches it to
 * this width. A wide letter is estimated at about two ordinary letters.
 */
const widthOf = (text: string): number =>
  Math.round(
    Array.from(text).reduce(
      (sum, letter) => sum + (/\p{M}|\u200d|\ufe0f/u.test(letter) ? 0 : letter > '\u2e7f' ? 12 : 6.7),
      0,
    ),
  );
