import { testGeneratedInput } from '../testing/test-generated-input.ts';

testGeneratedInput(0.2);
