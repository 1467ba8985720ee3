/** Why a value is not what its revision says; names the place, never what stood there. */
export class Invalid {
  readonly detail: string
  constructor(detail: string) {
    this.detail = detail
  }
}
