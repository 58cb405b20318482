/** The token endpoints of OAuth2, and the authorization of an access token. */
import { z } from "zod";
import { oauth2Errors } from "../../simulator/api-error.ts";
import { discordTime } from "../../simulator/discord-formats.ts";
import { ACCESS_TOKEN_TTL_S } from "../../simulator/oauth2.ts";
import type { RestRequest } from "../route.ts";
import { publicApplication } from "./identity.ts";

const Form = z.record(z.string(), z.string()).catch({});
type Form = z.infer<typeof Form>;

export function token(request: RestRequest): object {
	const { oauth2 } = request.simulator;
	const form = Form.parse(request.body);
	const { grant_type: grantType, redirect_uri: redirectUri, code_verifier: codeVerifier } = form;
	if (grantType !== "authorization_code" && grantType !== "refresh_token")
		throw oauth2Errors.unsupportedGrantType(grantType);
	authenticateClient(request, form);
	const authorized =
		grantType === "authorization_code"
			? oauth2.exchangeCode(required(form, "code"), redirectUri, codeVerifier)
			: oauth2.refresh(required(form, "refresh_token"));
	return {
		token_type: "Bearer",
		access_token: authorized.accessToken,
		expires_in: ACCESS_TOKEN_TTL_S,
		refresh_token: authorized.refreshToken,
		scope: authorized.scopes.join(" "),
	};
}

/** An unknown token is not an error (RFC 7009). */
export function revoke(request: RestRequest): object {
	const form = Form.parse(request.body);
	authenticateClient(request, form);
	request.simulator.oauth2.revoke(required(form, "token"));
	return {};
}

/** The application, scopes and user of the access token. */
export function authorization(request: RestRequest): object {
	const { oauth2Authorization, simulator } = request;
	if (!oauth2Authorization) throw new Error("this route is for access tokens only");
	const user = oauth2Authorization.scopes.includes("identify")
		? simulator.members.find(oauth2Authorization.userId)
		: undefined;
	return {
		application: publicApplication(request),
		expires: discordTime(oauth2Authorization.expiresAtMs),
		scopes: oauth2Authorization.scopes,
		...(user && { user: simulator.members.toUser(user) }),
	};
}

function required(form: Form, name: string): string {
	const value = form[name];
	if (value === undefined) throw oauth2Errors.missingParameter(name);
	return value;
}

/** The client's id and secret come by HTTP Basic or in the form. */
function authenticateClient({ simulator, authorization: header }: RestRequest, form: Form): void {
	const basic = /^Basic (\S+)$/i.exec(header)?.[1];
	const [id = "", secret = ""] =
		basic === undefined ? [form["client_id"], form["client_secret"]] : readBasicCredentials(basic);
	if (!simulator.oauth2.isClient(id, secret)) throw oauth2Errors.invalidClient();
}

/** Both parts are encoded like a form inside the base64 (RFC 6749, section 2.3.1). */
function readBasicCredentials(base64: string): readonly string[] {
	const [id, secret] = Buffer.from(base64, "base64").toString().split(":");
	return [...new URLSearchParams(`id=${id}&secret=${secret}`).values()];
}
