/** The addresses of the API's routes. Pure. */
import { endpoints, type EndpointName, type RequestOf } from "../../src/contract.ts";

const API = "/dashboard/api";
export const MESSAGES_ADDRESS = `${API}/messages`;

export interface Input {
	readonly params?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly body?: unknown;
}
/** The parts of a request; none for a route without parameters. */
export type InputOf<Name extends EndpointName> = unknown extends RequestOf<Name> ? [] : [RequestOf<Name>];

/** Returns the address of a route, for calls, links and previews. */
export function addressOf<Name extends EndpointName>(name: Name, ...[input]: InputOf<Name>): string {
	const { params = {}, query = {} } = (input ?? {}) as Input;
	const path = endpoints[name].path.replaceAll(/:(\w+)/g, (_, param: string) => {
		const value = params[param];
		if (value === undefined) throw new Error(`no parameter ${param} for the route ${name}`);
		return encodeURIComponent(value);
	});
	const given = Object.entries(query).flatMap(([key, value]) =>
		value === undefined || value === "" ? [] : [[key, String(value)]],
	);
	return `${API}${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
}
