import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';

/** Pages that are up, return 500, or hang. `set` chooses which. */
export interface SwitchedTargets extends AsyncDisposable {
  url(page: number): string;
  set(page: number, state: 'up' | 'failing' | 'hanging'): void;
  isUp(page: number): boolean;
}

export async function switchedTargets(): Promise<SwitchedTargets> {
  const states = new Map<string, 'failing' | 'hanging'>();
  const target = await httpTarget((request, response) => {
    // The test target records each request. The records are dropped, because they would fill the memory.
    target.requests.length = 0;
    const state = states.get(request.url ?? '');
    if (state !== 'hanging') response.writeHead(state === 'failing' ? 500 : 200).end();
  });
  return {
    url: (page) => `${target.url}/${page}`,
    set(page, state) {
      if (state === 'up') states.delete(`/${page}`);
      else states.set(`/${page}`, state);
    },
    isUp: (page) => !states.has(`/${page}`),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
}
