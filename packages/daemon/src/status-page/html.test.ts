import { expect, test } from 'vitest';
import { escapeHtml, html, withoutControls } from './html.ts';

test('parts are escaped, HTML is not, null is nothing, a list is its items', () => {
  const inner = html`<b>${'<&>"\''}</b>`;
  expect(html`<p title="${'"x"'}">${inner}${null}${[inner, 'y', 3]}</p>`.html).toBe(
    '<p title="&quot;x&quot;"><b>&lt;&amp;&gt;&quot;&#39;</b><b>&lt;&amp;&gt;&quot;&#39;</b>y3</p>',
  );
});

test('indentation of the source is not sent, that of a text is', () => {
  // By another name, or the formatter would indent it.
  const template = html;
  expect(template`<p>\n    ${'a\n    b'}\n</p>`.html).toBe('<p>\na\n    b\n</p>');
});

test('what XML cannot hold is left out: controls, lone surrogates, non-characters', () => {
  expect(escapeHtml('a\u0000\u0001\u001b\u007f\u0085\ufffe\uffffb\t\n')).toBe('ab\t\n');
  expect(withoutControls('\ud800x')).toBe('\ufffdx');
  expect(withoutControls('👩‍💻')).toBe('👩‍💻');
});
