/** Tests of simulations. */
import { runTogether } from './runTogether';

runTogether('simulations/bots', 'simulations/campaign', 'simulations/launch', 'simulations/launchForm');
