import * as Data from "effect/Data"

/** The arguments of a tool or a prompt do not fit; the message says where, for whoever sent them. */
export class InvalidArguments extends Data.TaggedError("InvalidArguments")<{ readonly message: string }> {}
