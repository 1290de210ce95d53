import { expect, test } from 'vitest';
import { escapeHtml, withoutControls } from '../escape-html.ts';
import { html } from './html.ts';

test('a template escapes texts but not HTML, leaves out null, and writes each item of a list', () => {
  const inner = html`<b>${'<&>"\''}</b>`;
  expect(html`<p title="${'"x"'}">${inner}${null}${[inner, 'y', 3]}</p>`.html).toBe(
    '<p title="&quot;x&quot;"><b>&lt;&amp;&gt;&quot;&#39;</b><b>&lt;&amp;&gt;&quot;&#39;</b>y3</p>',
  );
});

test('the indentation of a template is removed, and the indentation of an inserted text is kept', () => {
  // The code formatter would change the indentation of a template with the tag `html`.
  const template = html;
  expect(template`<p>\n    ${'a\n    b'}\n</p>`.html).toBe('<p>\na\n    b\n</p>');
});

test('characters that XML does not allow are removed or replaced: controls, lone surrogates, non-characters', () => {
  expect(escapeHtml('a\u0000\u0001\u001b\u007f\u0085\ufffe\uffffb\t\n')).toBe('ab\t\n');
  expect(withoutControls('\ud800x')).toBe('\ufffdx');
  expect(withoutControls('👩‍💻')).toBe('👩‍💻');
});
