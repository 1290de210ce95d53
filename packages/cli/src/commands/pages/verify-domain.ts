import { describeDomain, pages } from '../../nouns/pages.ts';
import { output, plain } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const verifyDomain = onOne(pages, {
  verb: 'verify-domain',
  summary: "check now where a page's domain points, and request its certificate; exits with 0 only if the domain works",
  examples: ['pages verify-domain shop', 'pages verify-domain shop -o json'],

  async run(found, { format, quiet }, { client, signal, io }) {
    const page = await client.statusPages.verifyDomain(found.id, { signal });
    const { id, name, customDomain, domain } = page;
    if (quiet) io.print(id);
    else {
      io.say(plain(`${customDomain}: ${domain ? describeDomain(domain) : 'no domain'}`));
      await output(io, format, { id, name, customDomain, domain }, () => '');
    }
    return domain?.status === 'active' ? 'ok' : 'failed';
  },
});
