/** What the samples use of the runtimes' own servers. */
declare const Bun: {
  serve(options: {
    hostname: string
    port: number
    idleTimeout: number
    routes: { [path: string]: (request: Request) => Promise<Response> }
  }): { readonly port: number }
}

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { readonly port: number }) => void },
    fetch: (request: Request) => Promise<Response>
  ): unknown
}
