// The same tests with the exact bounds of `until`.
import './truth.test.ts';
