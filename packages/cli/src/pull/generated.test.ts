import { test } from 'vitest';
import { pullGenerated } from '../testing/pulled-manifests.ts';

test('after a pull of random edits, the next plan is empty and every comment is kept', () => pullGenerated(25));
