import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A key, and the number by which what it has sealed names it. */
export interface SealingKey {
  readonly number: number
  readonly key: Key
}

// one byte of format, four of the key's number, eight of the end of life in ms, then the IV and what is sealed
const FORMAT = 1
const NUMBER = 1
const ENDS = 5
const IV = 13
const BODY = 25
const TAG = 16

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true })

const HKDF = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32) }

/** Two keys made of one secret, which say nothing of each other: one to seal with, one whose bits number it. */
export const deriveKey = async (secret: Uint8Array<ArrayBuffer>): Promise<SealingKey> => {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey", "deriveBits"])
  const info = (use: string) => ({ ...HKDF, info: encoder.encode(`effective-mcp requestState 1 ${use}`) })
  const bits = await crypto.subtle.deriveBits(info("number"), base, 32)
  return {
    number: new DataView(bits).getUint32(0),
    key: await crypto.subtle.deriveKey(info("key"), base, { name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt"
    ])
  }
}

/** What is authenticated beside the text: how it was sealed, until when, and what it belongs to. */
const cipher = (bytes: Uint8Array<ArrayBuffer>, bound: string) => {
  const beside = encoder.encode(bound)
  const additionalData = new Uint8Array(IV + beside.length)
  additionalData.set(bytes.subarray(0, IV))
  additionalData.set(beside, IV)
  return { name: "AES-GCM", iv: bytes.subarray(IV, BODY), additionalData }
}

/** Seals a text until `ends`, in ms since 1970; it opens only with the same `bound`. */
export const seal = async ({ key, number }: SealingKey, text: string, bound: string, ends: number): Promise<string> => {
  const head = new Uint8Array(BODY)
  const view = new DataView(head.buffer)
  head[0] = FORMAT
  view.setUint32(NUMBER, number)
  view.setFloat64(ENDS, ends)
  crypto.getRandomValues(head.subarray(IV, BODY))
  const body = new Uint8Array(await crypto.subtle.encrypt(cipher(head, bound), key, encoder.encode(text)))
  const all = new Uint8Array(BODY + body.length)
  all.set(head)
  all.set(body, BODY)
  return Base64Url.encode(all)
}

/** Opens what one of the keys has sealed; undefined when none has, when it belongs elsewhere, or when it has ended. */
export const open = async (
  keys: ReadonlyArray<SealingKey>,
  sealed: string,
  bound: string,
  now: number
): Promise<string | undefined> => {
  const decoded = Base64Url.decode(sealed)
  if (Result.isFailure(decoded)) return undefined
  const bytes = new Uint8Array(decoded.success)
  // one text a seal: the last character may have bits that mean nothing
  if (bytes.length < BODY + TAG || bytes[0] !== FORMAT || Base64Url.encode(bytes) !== sealed) return undefined
  const view = new DataView(bytes.buffer)
  if (!(view.getFloat64(ENDS) > now)) return undefined
  for (const { key, number } of keys) {
    if (number !== view.getUint32(NUMBER)) continue
    try {
      return decoder.decode(await crypto.subtle.decrypt(cipher(bytes, bound), key, bytes.subarray(BODY)))
    } catch {
      // sealed by another key of this number, or changed since
    }
  }
  return undefined
}
