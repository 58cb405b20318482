/**
 * Discord's close codes. After some the client may resume, after some it must identify again, after some it must not
 * return.
 */
export const CLOSE = {
	unknownOpcode: [4001, "Unknown opcode."],
	decodeError: [4002, "Error while decoding payload."],
	notAuthenticated: [4003, "Not authenticated."],
	authenticationFailed: [4004, "Authentication failed."],
	alreadyAuthenticated: [4005, "Already authenticated."],
	invalidSequence: [4007, "Invalid seq."],
	rateLimited: [4008, "Rate limited."],
	timedOut: [4009, "Session timed out."],
	invalidShard: [4010, "Invalid shard."],
	shardingRequired: [4011, "Sharding required."],
	invalidVersion: [4012, "Invalid API version."],
	invalidIntents: [4013, "Invalid intent(s)."],
	/** Not a code of Discord: the playground shuts down, and a client tries to resume. */
	shuttingDown: [1012, "The playground is going down."],
} as const satisfies { readonly [reason: string]: readonly [number, string] };

export type CloseReason = keyof typeof CLOSE;
