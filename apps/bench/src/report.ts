/** Results: raw rows in, summary JSON and Markdown out. */
import type { Cells, Metrics } from "./workloads.ts"
import { groupBy, median, type Summary, summarize } from "./stats.ts"

export interface Row {
  workload: string
  /** Target identity: what is compared. */
  name: string
  runtime: string
  /** transport and lifecycle, or empty: what ratios are matched on. */
  variant: string
  round: number
  cells?: Cells
  error?: string
  /** Share of the run during which some task on the machine waited for a CPU (Linux PSI). */
  pressure?: number
}

export interface CellSummary { metrics: Record<string, Summary>; ratio: Record<string, number> }
export interface Line { workload: string; name: string; runtime: string; variant: string; cells: Record<string, CellSummary>; errors: string[] }

const key = (r: { name: string; runtime: string; variant: string }): string => `${r.name}|${r.runtime}|${r.variant}`

/** Medians over rounds; ratios are medians of per-round ratios to the floor of the same variant. */
export const aggregate = (rows: readonly Row[], floor: string): Line[] => {
  const lines = new Map<string, Line>()
  const groups = groupBy(rows, (r) => `${r.workload}|${key(r)}`)
  for (const [k, rs] of groups) {
    const r0 = rs[0]!
    const line: Line = { workload: r0.workload, name: r0.name, runtime: r0.runtime, variant: r0.variant, cells: {}, errors: [] }
    for (const r of rs) if (r.error && !line.errors.includes(r.error)) line.errors.push(r.error)
    const names = new Set(rs.flatMap((r) => Object.keys(r.cells ?? {})))
    for (const cell of names) {
      const ms = new Set(rs.flatMap((r) => Object.keys(r.cells?.[cell] ?? {})))
      const out: CellSummary = { metrics: {}, ratio: {} }
      for (const m of ms) {
        const xs = rs.map((r) => r.cells?.[cell]?.[m]).filter((x): x is number => x !== undefined && Number.isFinite(x))
        if (xs.length === 0) continue
        out.metrics[m] = summarize(xs)
        const ratios = rs.flatMap((r) => {
          const f = floorMetrics(rows, r, floor)?.[cell]?.[m]
          const x = r.cells?.[cell]?.[m]
          return f && x !== undefined && Number.isFinite(x / f) ? [x / f] : []
        })
        if (ratios.length) out.ratio[m] = median(ratios)
      }
      line.cells[cell] = out
    }
    lines.set(k, line)
  }
  return [...lines.values()]
}

/** The floor is the Node one: a ratio then says what the choice of runtime and SDK together costs. */
const floorMetrics = (rows: readonly Row[], r: Row, floor: string): Record<string, Metrics> | undefined =>
  r.name === floor && r.runtime === "node" ? undefined
    : rows.find((f) => f.workload === r.workload && f.name === floor && f.runtime === "node" && f.variant === r.variant && f.round === r.round)?.cells

const fmt = (x: number): string => {
  const a = Math.abs(x)
  if (a >= 1000) return Math.round(x).toLocaleString("en-US")
  if (a >= 100) return x.toFixed(0)
  if (a >= 10) return x.toFixed(1)
  if (a >= 1) return x.toFixed(2)
  return x.toFixed(3)
}

const show = (s: Summary | undefined, ratio: number | undefined): string =>
  s === undefined ? "" : fmt(s.median) + (s.n > 1 ? ` (${fmt(s.min)}–${fmt(s.max)})` : "") + (ratio === undefined ? "" : ` ×${fmt(ratio)}`)

export const markdown = (lines: readonly Line[], about: Record<string, string>): string => {
  const out: string[] = ["# MCP benchmark", "", ...Object.entries(about).map(([k, v]) => `- ${k}: ${v}`), "",
    "Cells are median (min–max) over rounds, then × the ratio to the Node floor of the same variant in the same round.", ""]
  for (const [workload, ls] of groupBy(lines, (l) => l.workload)) {
    out.push(`## ${workload}`, "")
    const cells = [...new Set(ls.flatMap((l) => Object.keys(l.cells)))]
    for (const cell of cells) {
      const metrics = [...new Set(ls.flatMap((l) => Object.keys(l.cells[cell]?.metrics ?? {})))]
      out.push(`### ${workload} ${cell}`, "", `| target | runtime | variant | ${metrics.join(" | ")} |`, `|---|---|---|${metrics.map(() => "---:").join("|")}|`)
      const sorted = ls.filter((l) => l.cells[cell]).toSorted((a, b) => a.variant.localeCompare(b.variant))
      for (const l of sorted) {
        const c = l.cells[cell]!
        out.push(`| ${l.name} | ${l.runtime} | ${l.variant} | ${metrics.map((m) => show(c.metrics[m], c.ratio[m])).join(" | ")} |`)
      }
      out.push("")
    }
    const failed = ls.filter((l) => l.errors.length)
    if (failed.length) out.push(...failed.map((l) => `- failed: ${l.name} ${l.runtime} ${l.variant}: ${l.errors.map((e) => e.replace(/\s+/g, " ").slice(0, 240)).join("; ")}`), "")
  }
  return out.join("\n")
}
