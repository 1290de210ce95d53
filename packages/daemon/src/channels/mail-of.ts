import type { Message } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from '../escape-html.ts';
import { type Words, wordsFor } from './words.ts';

/**
 * Returns the fields of a mail, with its text and HTML. All mails of an alert form one conversation that begins with
 * the alarm (RFC 5322, 3.6.4).
 */
export function mailOf(message: Message, mailFrom: string) {
  const { id, notice } = message;
  const words = wordsFor(message);
  const host = /@([\w.-]+)/.exec(mailFrom)?.[1] ?? 'localhost';
  const first = `<${notice.alert}@${host}>`;
  const begins = ['alarm', 'test', 'code'].includes(notice.kind);
  return {
    subject: cut(words.title, 250),
    text: textOf(words),
    html: htmlOf(words),
    // Every attempt uses the same ids, so that a mail server or mail program can drop a repetition.
    ...(begins ? { messageId: first } : { messageId: `<${id}@${host}>`, inReplyTo: first, references: first }),
    // Prevents automatic replies, such as out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  };
}

const textOf = ({ title, sentence, facts, link }: Words): string =>
  [title, sentence, facts.map(({ label, value }) => `${label}: ${value}`).join('\n'), link]
    .filter(Boolean)
    .join('\n\n');

const colours: Record<Words['tone'], string> = {
  bad: '#b91c1c',
  warning: '#b45309',
  good: '#15803d',
  neutral: '#374151',
};

function htmlOf({ title, sentence, facts, link, tone }: Words): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" style="padding-right:1em;font-weight:normal;color:#6b7280">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;color:#111827">',
    `<h1 style="font-size:1.25em;color:${colours[tone]}">${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('\n')}</table>`]),
    `<p><a href="${escapeHtml(link)}">Open</a></p>`,
    '</body></html>',
  ].join('\n');
}
