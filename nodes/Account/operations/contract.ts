import { exchangeAgentCode } from './exchangeAgentCode';
import { getAgentLoginUrl } from './getAgentLoginUrl';
import { login } from './login';
import { logout } from './logout';

/** The account operations that are rows of the contract. */
export const contractOperations = [exchangeAgentCode, getAgentLoginUrl, login, logout];
