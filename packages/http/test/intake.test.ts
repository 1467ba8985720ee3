import { describe, expect, it } from "@effect/vitest"
import { Intake } from "../src/index.ts"

const KiB = 1024
const MiB = 1024 * KiB

/** Bodies that write down when they are cut, on a clock of the test. */
const setup = (most = 64 * MiB) => {
  let time = 0
  const cut: Array<string> = []
  const intake = Intake.make({ most, now: () => time })
  return {
    intake,
    cut,
    pass: (ms: number) => (time += ms),
    body: (name: string): Intake.Cut => {
      const stop: Intake.Cut = () => {
        cut.push(name)
        intake.give(stop)
      }
      return stop
    }
  }
}

describe("all bodies that come at once", () => {
  it("have 64 MiB together: what would go over is refused, and holds nothing", () => {
    const { body, cut, intake } = setup()
    const sixteen = Array.from({ length: 16 }, (_, n) => body(`${n}`))
    for (const one of sixteen) expect(intake.take(one, 4 * MiB)).toBe(true)
    const next = body("next")
    expect(intake.take(next, 65 * KiB)).toBe(false)
    intake.give(sixteen[3]!)
    expect(intake.take(next, 4 * MiB)).toBe(true)
    // one that has been refused, or given back twice, is not counted
    intake.give(sixteen[3]!)
    expect(intake.take(body("last"), 65 * KiB)).toBe(false)
    expect(cut).toEqual([])
  })

  it("count by what has come of them, and once", () => {
    const { body, intake } = setup(8 * MiB)
    const [one, other] = [body("one"), body("other")]
    for (let size = 0; size <= 4 * MiB; size += 16 * KiB) {
      expect(intake.take(one, size)).toBe(true)
      expect(intake.take(other, size)).toBe(true)
    }
    expect(intake.take(other, 4 * MiB + 1)).toBe(false)
    expect(intake.take(one, 8 * MiB)).toBe(true)
  })

  it("leave small ones out, however many there are and whatever else comes", () => {
    const { body, intake } = setup()
    for (let n = 0; n < 16; n++) intake.take(body(`${n}`), 4 * MiB)
    for (let n = 0; n < 10_000; n++) expect(intake.take(body(`small ${n}`), 64 * KiB)).toBe(true)
    expect(intake.take(body("large"), 64 * KiB + 1)).toBe(false)
  })

  it("let one that is alone have what it has", () => {
    const { body, intake } = setup(1)
    const one = body("one")
    expect([intake.take(one, MiB), intake.take(one, 2 * MiB)]).toEqual([true, true])
    expect(intake.take(body("other"), 65 * KiB)).toBe(false)
  })
})

describe("bodies that come slowly", () => {
  it("go for those that do not, the slowest first and no more than it takes", () => {
    const { body, cut, intake, pass } = setup(8 * MiB)
    const [slow, quick, slowest] = [body("slow"), body("quick"), body("slowest")]
    intake.take(slowest, 3 * MiB)
    pass(10)
    intake.take(slow, 2 * MiB)
    intake.take(quick, MiB)
    pass(995)
    intake.take(quick, 2.5 * MiB)
    intake.take(slowest, 3 * MiB + 255 * KiB)
    expect([intake.take(body("next"), MiB), cut]).toEqual([true, ["slowest"]])
    pass(5)
    expect([intake.take(body("more"), 4 * MiB), cut]).toEqual([true, ["slowest", "slow"]])
  })

  it("stay while there is room, and while they keep pace", () => {
    const { body, cut, intake, pass } = setup(8 * MiB)
    const [idle, paced] = [body("idle"), body("paced")]
    intake.take(idle, 2 * MiB)
    pass(100_000)
    let size = 2 * MiB
    intake.take(paced, size)
    for (; size < 6 * MiB; size += 256 * KiB) {
      pass(999)
      expect(intake.take(paced, size)).toBe(true)
    }
    expect(cut).toEqual([])
    expect([intake.take(paced, 7 * MiB), cut]).toEqual([true, ["idle"]])
    expect([intake.take(body("next"), 2 * MiB), cut]).toEqual([false, ["idle"]])
  })

  it("stay where their room would not do", () => {
    const { body, cut, intake, pass } = setup(8 * MiB)
    intake.take(body("idle"), MiB)
    pass(5_000)
    intake.take(body("quick"), 7 * MiB)
    expect([intake.take(body("large"), 2 * MiB), cut]).toEqual([false, []])
    expect([intake.take(body("fits"), MiB), cut]).toEqual([true, ["idle"]])
  })

  it("do not lock others out, though one client sends as many as it can", () => {
    const { body, cut, intake, pass } = setup()
    for (let n = 0; n < 100; n++) intake.take(body(`${n}`), 4 * MiB - 1)
    pass(1_000)
    for (let n = 0; n < 8; n++) expect(intake.take(body("honest"), 4 * MiB)).toBe(true)
    expect(cut).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"])
  })

  it("give way to nothing that whoever is cut reads at once", () => {
    const { body, cut, intake, pass } = setup(8 * MiB)
    const next = body("next")
    const first: Intake.Cut = () => {
      intake.give(first)
      expect(intake.take(next, 3 * MiB)).toBe(false)
    }
    const asking = body("asking")
    intake.take(first, 4 * MiB)
    intake.take(asking, 4 * MiB)
    pass(1_000)
    expect([intake.take(asking, 7 * MiB), cut]).toEqual([true, []])
    expect(intake.take(next, MiB + 1)).toBe(false)
    expect(intake.take(next, MiB)).toBe(true)
  })
})
