#!/usr/bin/env node
import { requireNode } from './node-version.ts';

// Checks the version of Node before any other file is loaded, because an older Node cannot parse those files.
requireNode('uptimed', process);

const { main } = await import('./main.ts');
await main();
