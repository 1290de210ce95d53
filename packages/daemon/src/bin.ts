#!/usr/bin/env node
import { requireNode } from './node-version.ts';

// All other files are loaded only after this look at the version, because an older Node cannot parse them.
requireNode('uptimed', process);

const { main } = await import('./main.ts');
await main();
