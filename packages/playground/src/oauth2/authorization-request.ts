/** Validates the query of the consent page. Every problem is an error of the page, never of the redirect. */
import { z } from "zod";
import { PageApiError } from "../page/page-error.ts";
import { type Scope, SCOPES } from "../simulator/documents.ts";
import type { ConsentedRequest } from "../simulator/oauth2.ts";
import type { Simulator } from "../simulator/simulator.ts";

export interface AuthorizationRequest extends ConsentedRequest {
	/** Returned unchanged. */
	readonly state: string | undefined;
}

const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

const Query = z.object({
	response_type: z.literal("code", { error: 'response_type must be "code": only authorization codes are supported.' }),
	client_id: z.string({ error: "client_id is missing or repeated." }),
	redirect_uri: z.string({ error: "redirect_uri is missing or repeated." }),
	scope: z
		.string({ error: "scope is missing or repeated." })
		.transform((scope) => [...new Set(scope.split(" "))])
		.refine((scopes) => scopes.every(isScope), { error: `scope may contain only: ${SCOPES.join(", ")}.` })
		.transform((scopes) => scopes.filter(isScope)),
	state: z.string({ error: "state is repeated." }).optional(),
	prompt: z.literal(["consent", "none"], { error: 'prompt must be "consent" or "none".' }).optional(),
	code_challenge: z
		.string()
		.regex(/^[\w-]{43}$/, { error: "code_challenge must be a SHA-256 hash in base64url." })
		.optional(),
	code_challenge_method: z.literal("S256", { error: 'code_challenge_method must be "S256".' }).optional(),
});

export function parseAuthorizationRequest(query: unknown, { seed, oauth2 }: Simulator): AuthorizationRequest {
	const parsed = Query.safeParse(query);
	if (!parsed.success) throw invalid(...parsed.error.issues.map(({ message }) => message));
	const { client_id: clientId, redirect_uri: redirectUri, scope: scopes, state } = parsed.data;
	const { code_challenge: codeChallenge, code_challenge_method: method } = parsed.data;
	if (clientId !== seed.application.id) throw invalid(`client_id must be ${seed.application.id}.`);
	if (!oauth2.redirectUris().includes(redirectUri)) {
		const registered = oauth2.redirectUris().join(", ") || "none";
		throw invalid(`redirect_uri is not registered for this application. Registered: ${registered}.`);
	}
	if ((codeChallenge === undefined) !== (method === undefined))
		throw invalid("code_challenge and code_challenge_method must be sent together.");
	return { redirectUri, scopes, codeChallenge, state };
}

const invalid = (...problems: readonly string[]): PageApiError => new PageApiError(400, problems.join("\n"));
