/** A proxy that a test starts. */
export interface Proxy {
  /** The Debian package that contains the program. */
  packageName: string;
  config: (ports: { listen: number; upstream: number }, folder: string) => string;
  command: (configFile: string, folder: string) => string[];
}

/** The configurations of docs/deploy.md for common proxies, without TLS and with the ports of a test. */
export const proxies = {
  nginx: {
    packageName: 'nginx-light',
    config: ({ listen, upstream }, folder) => `
      daemon off;
      pid ${folder}/nginx.pid;
      error_log ${folder}/error.log;
      events { worker_connections 1024; }
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
        keepalive_requests 100000;
        upstream uptime { server 127.0.0.1:${upstream}; keepalive 64; }
        server {
          listen 127.0.0.1:${listen};
          location / {
            proxy_pass http://uptime;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
          }
        }
      }`,
    command: (configFile, folder) => ['nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', configFile],
  },
  caddy: {
    packageName: 'caddy',
    config: ({ listen, upstream }) => `
      {
        admin off
        auto_https off
      }
      http://127.0.0.1:${listen} {
        reverse_proxy 127.0.0.1:${upstream}
      }`,
    command: (configFile) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configFile],
  },
  haproxy: {
    packageName: 'haproxy',
    // The pool keeps idle connections, so that a later burst reuses them.
    config: ({ listen, upstream }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 200s
  timeout server 30s
frontend public
  bind 127.0.0.1:${listen}
  default_backend uptime
backend uptime
  http-reuse safe
  server uptime 127.0.0.1:${upstream} pool-purge-delay 200s
`,
    command: (configFile) => ['haproxy', '-db', '-f', configFile],
  },
} satisfies Record<string, Proxy>;

export type ProxyName = keyof typeof proxies;
