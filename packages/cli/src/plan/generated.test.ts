import { test } from 'vitest';
import { applyGenerated } from '../testing/generated-manifests.ts';

test('after an apply of a generated manifest, the next plan is empty', () => applyGenerated(60));
