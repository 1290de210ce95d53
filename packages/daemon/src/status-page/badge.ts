import { escapeHtml } from './html.ts';
import type { PageView } from './view.ts';

const looks: Record<PageView['overall']['state'], { word: string; colour: string }> = {
  up: { word: 'up', colour: '#1a7f4b' },
  down: { word: 'down', colour: '#c62828' },
  maintenance: { word: 'maintenance', colour: '#2d5fc4' },
  unknown: { word: 'not observed', colour: '#5b6470' },
};

/** A badge for a README: the page's name, and its state in a word. */
export function renderBadge({ name, overall }: PageView): string {
  const { word, colour } = looks[overall.state];
  const label = Array.from(name).length > 40 ? `${Array.from(name).slice(0, 39).join('')}…` : name;
  // Nobody can measure text here: a width for each character that fits the widest usual letters.
  const [left, right] = [label, word].map((text) => Math.round(Array.from(text).length * 6.6 + 12)) as [number, number];
  const said = escapeHtml(`${label}: ${word}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${said}"><title>${said}</title><rect width="${left}" height="20" fill="#3b424b"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${escapeHtml(label)}</text><text x="${left + right / 2}" y="14">${word}</text></g></svg>`;
}
