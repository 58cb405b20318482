import type { ClientRequest } from "node:http";
import { Agent, type RequestOptions } from "node:https";
import { connect } from "node:net";

/** The part of Node's agent that its types leave out: hands a request to a connection. */
interface RequestQueue {
	addRequest(request: ClientRequest, options: RequestOptions): void;
}

/** For clients that only speak HTTPS on port 443: carries their requests to `origin` over plain HTTP. */
export function createPlainHttpAgent(origin: string): Agent {
	const { hostname, port, host } = new URL(origin);
	const agent = new Agent() as Agent & RequestQueue;
	const addRequest = agent.addRequest.bind(agent);
	agent.createConnection = () => connect(Number(port), hostname);
	agent.addRequest = (request, options) => {
		// Such clients leave the port out, and the gateway answers only to its own address.
		request.setHeader("host", host);
		// They also drop what arrives together with the answer to an upgrade: here that is the gateway's Hello.
		request.once("upgrade", (_response, socket, head) => socket.unshift(head));
		addRequest(request, options);
	};
	return agent;
}
