"""What answers say of g: a file for each family, on one base that derives all integrals. Lecture: 06."""

from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.beta import Beta
from course_lib.gp.likelihoods.bounded import CensoredGaussian, TruncatedGaussian, WarpedGaussian, squeeze
from course_lib.gp.likelihoods.choices import Logit, Probit
from course_lib.gp.likelihoods.gaussian import Gaussian
from course_lib.gp.likelihoods.heavy_tails import StudentT
from course_lib.gp.likelihoods.ordinal import Ordinal
from course_lib.gp.likelihoods.rounded import Rounded
