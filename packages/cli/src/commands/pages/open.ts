import { pages } from '../../nouns/pages.ts';
import { output } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const openPage = onOne(pages, {
  verb: 'open',
  summary: 'open a status page in the browser; without a terminal, print its address',
  examples: ['pages open shop', 'pages open shop -o json'],

  async run({ id, name, url }, { format, quiet }, { io, context }) {
    if (quiet) return io.print(id);
    await output(io, format, { id, name, url }, () => url);
    if (format !== 'table' || !io.interactive || !io.stdout.isTTY) return;
    const { openBrowser } = await import('../open-browser.ts');
    const refusal = await openBrowser(url, context);
    if (refusal) io.say(`The browser did not open (${refusal}): the page is at the address above.`);
  },
});
