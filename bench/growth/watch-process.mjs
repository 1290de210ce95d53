import process from 'node:process';

// A measured program loads this file before its own code. The file reports the usage of the program to the parent
// process (see `Usage` in watched-process.ts). Time in which other processes ran is not part of the longest turn of the
// event loop. This is not a TypeScript file, because to load TypeScript takes memory, which would count as the memory
// of the program.

const measureEveryMs = 10;
let maxMs = 0;
let used = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  maxMs = Math.max(maxMs, (now.user + now.system - used.user - used.system) / 1000);
  used = now;
}, measureEveryMs).unref();

process.on('message', (message) => {
  if (message === 'reset') maxMs = 0;
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({
    usage: {
      cpuMicros: user + system,
      longestTurnMs: maxMs,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      externalBytes: external,
    },
  });
});
// The channel to the parent does not keep the program running. If the parent ends, the program ends.
process.channel?.unref();
process.once('disconnect', () => process.exit());
