import { createDownloads } from '../downloads/downloads.ts';
import type { ReadRegistration } from '../expiry/registration.ts';
import type { ProbeHost } from '../probes/probe-host.ts';
import type { Notifier } from '../alerting/notifier.ts';

const refuse = () => {
  throw new Error('This test must send nothing.');
};

/** A notifier for tests without channels. */
export const neverCalled: Notifier = { seal: refuse, open: refuse, send: refuse };

/** A function that throws, for tests that must not ask a registry. */
export const noRegistry: ReadRegistration = () => refuse();

/** The server's side of probes, for tests without probes. */
export const noProbes: ProbeHost = {
  findToken: refuse,
  revoked: refuse,
  sync: refuse,
  takeResults: refuse,
  nextCheckAt: () => null,
};

/** A daemon that runs from its sources offers no downloads. */
export const noDownloads = createDownloads(async () => null, null);
