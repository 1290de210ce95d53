import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DownloadName, type Downloads, downloadTypes } from '../downloads/downloads.ts';
import { installScript } from '../downloads/install-script.ts';
import { ServiceError } from '../errors.ts';
import type { Backend } from '../resources/handler.ts';
import { networkOf } from './network-of.ts';
import { isForSite } from './pages.ts';

/**
 * Maximum number of downloads of the executable at once, in total and for one network. Each download reads 100 MB from
 * the disk.
 */
const maxExecutables = { inAll: 16, perNetwork: 3 };

const paths: Record<string, DownloadName> = {
  '/cli.tgz': 'cli.tgz',
  '/sdk.tgz': 'sdk.tgz',
  '/uptime.mjs': 'uptime.mjs',
  '/schema/monitors.schema.json': 'monitors.schema.json',
};

/**
 * Adds the routes for downloads: the CLI, the SDK, the schema of the manifest, and a script that installs the CLI. All
 * of them have the same version as this daemon.
 */
export function addDownloads(
  app: FastifyInstance,
  downloads: Downloads,
  site: Pick<Backend, 'siteUrl' | 'publicHost' | 'version'>,
): void {
  const serve = (path: string, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    app.get(path, async (request, reply) =>
      isForSite(request.hostname, site) ? handle(request, reply) : reply.callNotFound(),
    );

  for (const [path, name] of Object.entries(paths)) {
    serve(path, async (request, reply) => {
      const file = (await downloads.file(name)) ?? missing(path);
      return isKnown(request, reply, file.sha256) ? reply.send() : reply.type(downloadTypes[name]).send(file.bytes);
    });
  }

  serve('/install.sh', async (_, reply) => {
    const [script, executable] = await Promise.all([downloads.file('uptime.mjs'), downloads.executable()]);
    const text = installScript({
      siteUrl: site.siteUrl(),
      version: site.version,
      script: script ?? missing('/install.sh'),
      executable,
    });
    return reply.header('cache-control', 'no-cache').type('text/x-shellscript; charset=utf-8').send(text);
  });

  const underWay: string[] = [];
  serve('/uptime', async (request, reply) => {
    const executable = (await downloads.executable()) ?? missing('/uptime');
    if (isKnown(request, reply, executable.sha256)) return reply.send();
    const network = networkOf(request.ip);
    // Each network has a limit too, so that slow readers in one network do not use up the downloads of all networks.
    const ofNetwork = underWay.filter((other) => other === network).length;
    if (underWay.length >= maxExecutables.inAll || ofNetwork >= maxExecutables.perNetwork)
      throw new ServiceError('unavailable', 'Too many downloads of the executable are under way. Try again.', {
        retryAfterSeconds: 10,
      });
    underWay.push(network);
    reply.raw.once('close', () => underWay.splice(underWay.indexOf(network), 1));
    return reply
      .headers({ 'content-length': String(executable.size) })
      .type('application/octet-stream')
      .send(request.method === 'HEAD' ? undefined : createReadStream(executable.path));
  });
}

/** Sets the headers of a cacheable file. If the client has the file already, sets the status 304 and returns true. */
function isKnown(request: FastifyRequest, reply: FastifyReply, sha256: string): boolean {
  const etag = `"${sha256.slice(0, 32)}"`;
  reply.headers({ etag, 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
  const known = request.headers['if-none-match']?.split(/\s*,\s*/).some((one) => one.replace(/^W\//, '') === etag);
  if (known) reply.status(304);
  return known === true;
}

function missing(path: string): never {
  throw new ServiceError(
    'not_found',
    `This daemon has no ${path}, because it runs from sources that were not built. Run \`npm run build\` in its folder, and restart it.`,
  );
}
