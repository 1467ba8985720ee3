import { defineConfig } from "tsup"

/** One output file per source file: relative imports stay imports, and only their ending changes. */
const keepFiles = {
  name: "keep-files",
  setup(build: any) {
    build.onResolve({ filter: /^\.\.?\// }, (args: { kind: string; path: string }) =>
      args.kind === "entry-point" ? undefined : { path: args.path.replace(/\.ts$/, ".js"), external: true }
    )
  }
}

export default defineConfig({
  entry: ["src/**/*.ts"],
  format: "esm",
  target: "es2023",
  platform: "neutral",
  bundle: true,
  splitting: false,
  sourcemap: true,
  clean: true,
  dts: false,
  silent: true,
  esbuildPlugins: [keepFiles]
})
