import type { JsonObject } from "../JsonRpc.ts"

interface Field {
  readonly title?: string
  readonly description?: string
}

export interface StringField extends Field {
  readonly type: "string"
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: "email" | "uri" | "date" | "date-time"
  readonly default?: string
}

export interface NumberField extends Field {
  readonly type: "number" | "integer"
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface BooleanField extends Field {
  readonly type: "boolean"
  readonly default?: boolean
}

/** One of some values; `enumNames`, which newer revisions give up, says how each is shown. */
export interface SelectField extends Field {
  readonly type: "string"
  readonly enum: ReadonlyArray<string>
  readonly enumNames?: ReadonlyArray<string>
  readonly default?: string
}

interface Titled {
  readonly const: string
  readonly title: string
}

/** One of some values, each with a title. */
export interface TitledSelectField extends Field {
  readonly type: "string"
  readonly oneOf: ReadonlyArray<Titled>
  readonly default?: string
}

/** Some of some values. */
export interface MultiSelectField extends Field {
  readonly type: "array"
  readonly items:
    | { readonly type: "string"; readonly enum: ReadonlyArray<string> }
    | { readonly anyOf: ReadonlyArray<Titled> }
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: ReadonlyArray<string>
}

export type FormField = StringField | NumberField | BooleanField | SelectField | TitledSelectField | MultiSelectField

/**
 * A form is flat: each property is one field.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export interface FormSchema {
  readonly $schema?: string
  readonly type: "object"
  readonly properties: { readonly [name: string]: FormField }
  readonly required?: ReadonlyArray<string>
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests */
export interface ElicitFormParams {
  readonly mode?: "form"
  readonly message: string
  readonly requestedSchema: FormSchema
}

/**
 * Sends the user to a page; what happens there does not come back through the protocol. `elicitationId`, which only
 * 2025-11-25 has and requires, names it in the notification that it is done.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 */
export interface ElicitUrlParams {
  readonly mode: "url"
  readonly message: string
  readonly url: string
  readonly elicitationId?: string
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams

export type FormValue = string | number | boolean | ReadonlyArray<string>

/**
 * `decline` says no, `cancel` says nothing; `content` goes with `accept` of a form.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#response-actions
 */
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: { readonly [name: string]: FormValue }
  readonly _meta?: JsonObject
}

/**
 * That what a user was sent away for is done.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
 */
export interface ElicitationComplete {
  readonly elicitationId: string
  readonly _meta?: JsonObject
}
