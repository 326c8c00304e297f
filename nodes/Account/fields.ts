import { exchangeAgentCode } from './operations/exchangeAgentCode';
import { getAgentLoginUrl } from './operations/getAgentLoginUrl';
import { login } from './operations/login';
import { logout } from './operations/logout';

/** The account operations that are rows of the contract. */
export const contractOperations = [exchangeAgentCode, getAgentLoginUrl, login, logout];
