"""Task 5, table_log_evidence(C, people, noise_std, Y)."""

import numpy as np
from scipy.stats import multivariate_normal


def gaussian(S, y):
    """log N(y | 0, S)."""
    return -0.5 * float(y @ np.linalg.solve(S, y) + np.linalg.slogdet(2 * np.pi * S)[1])


def dense(
    signal=lambda C, B: np.kron(C, B),
    noise=lambda s, m: np.diag(np.tile(s**2, m)),
    stacked=np.ravel,
    density=gaussian,
):
    """An answer from the whole covariance, with another order, other noise, or another density."""

    def answer(C, people, noise_std, Y):
        S = signal(C, people) + noise(noise_std, len(Y))
        return float(density(S, stacked(Y)))

    return answer


right_answer = dense()


def turned(
    whiten=lambda C, B, s, Y: (B / np.outer(s, s), Y / s),
    total=lambda c, b: np.outer(c, b) + 1,
    inside=lambda T, D: (T**2 / D).sum(),
    log_det=lambda D, s, m: np.log(D).sum() + 2 * m * np.log(s).sum(),
    last=lambda m, P: m * P * np.log(2 * np.pi),
    turn=lambda U, Y, V: U.T @ Y @ V,
):
    """An answer by two eigen-decompositions, with one step changed."""

    def answer(C, people, noise_std, Y):
        m, P = Y.shape
        B, W = whiten(C, people, noise_std, Y)
        (c, U), (b, V) = np.linalg.eigh(C), np.linalg.eigh(B)
        D = total(np.maximum(c, 0.0), np.maximum(b, 0.0))
        return float(-0.5 * (inside(turn(U, W, V), D) + log_det(D, noise_std, m) + last(m, P)))

    return answer


def equal_noise(C, people, noise_std, Y):
    return right_answer(C, people, np.full(len(noise_std), noise_std.mean()), Y)


def root_mean_noise(C, people, noise_std, Y):
    return right_answer(C, people, np.full(len(noise_std), np.sqrt((noise_std**2).mean())), Y)


def half(C, people, noise_std, Y):
    S = np.kron(C, people) + np.diag(np.tile(noise_std**2, len(Y)))
    return float(-(Y.ravel() @ np.linalg.solve(S, Y.ravel()) + np.linalg.slogdet(2 * np.pi * S)[1]))


def rows_fit_wrongly(C, people, noise_std, Y):
    """User-major covariance, input-major answers; the noise stays with its answers."""
    return dense(signal=lambda C, B: np.kron(B, C))(C, people, noise_std, Y)


def user_major_noise(C, people, noise_std, Y):
    """All in user-major order but the noise."""
    S = np.kron(people, C) + np.diag(np.tile(noise_std**2, len(Y)))
    return gaussian(S, Y.T.ravel())


def by_determinant(C, people, noise_std, Y):
    S = np.kron(C, people) + np.diag(np.tile(noise_std**2, len(Y)))
    return float(-0.5 * (Y.ravel() @ np.linalg.solve(S, Y.ravel()) + np.log(np.linalg.det(2 * np.pi * S) + 1e-300)))


def determinant_as_it_is(C, people, noise_std, Y):
    S = np.kron(C, people) + np.diag(np.tile(noise_std**2, len(Y)))
    with np.errstate(divide="ignore"):
        return float(-0.5 * (Y.ravel() @ np.linalg.solve(S, Y.ravel()) + np.log(np.linalg.det(2 * np.pi * S))))


def people_alone(C, people, noise_std, Y):
    """Every listener has a function of his own, with the variance that he has."""
    return right_answer(C, np.diag(np.diag(people)), noise_std, Y)


def questions_alone(C, people, noise_std, Y):
    return right_answer(np.diag(np.diag(C)), people, noise_std, Y)


DET = "What does the computer store for a determinant"

MISTAKES = {
    "user-major covariance": rows_fit_wrongly,
    "user-major answers": dense(stacked=lambda Y: Y.T.ravel()),
    "noise in the other order": dense(noise=lambda s, m: np.diag(np.repeat(s**2, m))),
    "user-major but the noise": user_major_noise,
    "noise within B": lambda C, B, s, Y: gaussian(np.kron(C, B + np.diag(s**2)) + 1e-6 * np.eye(Y.size), Y.ravel()),
    "noise in all entries of a person": dense(
        noise=lambda s, m: np.kron(np.ones((m, m)), np.diag(s**2)) + 1e-6 * np.eye(m * len(s))
    ),
    "mean noise": equal_noise,
    "mean variance": root_mean_noise,
    "first noise": lambda C, B, s, Y: right_answer(C, B, np.full(len(s), s[0]), Y),
    "σ for σ²": dense(noise=lambda s, m: np.diag(np.tile(s, m))),
    "precisions": dense(noise=lambda s, m: np.diag(np.tile(s**-2, m))),
    "no noise": dense(noise=lambda s, m: 1e-6 * np.eye(m * len(s))),
    "unit noise": dense(noise=lambda s, m: np.eye(m * len(s))),
    "Jacobian forgotten": turned(log_det=lambda D, s, m: np.log(D).sum()),
    "Jacobian once": turned(log_det=lambda D, s, m: np.log(D).sum() + 2 * np.log(s).sum()),
    "Jacobian halved": turned(log_det=lambda D, s, m: np.log(D).sum() + m * np.log(s).sum()),
    "Jacobian with the other sign": turned(log_det=lambda D, s, m: np.log(D).sum() - 2 * m * np.log(s).sum()),
    "2π forgotten": turned(last=lambda m, P: 0.0),
    "2π once for a row": turned(last=lambda m, P: m * np.log(2 * np.pi)),
    "2π once for a column": turned(last=lambda m, P: P * np.log(2 * np.pi)),
    "2π added": turned(last=lambda m, P: (m + P) * np.log(2 * np.pi)),
    "½ forgotten": half,
    "½ of the fit only": dense(
        density=lambda S, y: -0.5 * y @ np.linalg.solve(S, y) - np.linalg.slogdet(2 * np.pi * S)[1]
    ),
    "determinant": by_determinant,
    "no determinant": turned(log_det=lambda D, s, m: 0.0),
    "determinant with a plus": dense(
        density=lambda S, y: -0.5 * (y @ np.linalg.solve(S, y) - np.linalg.slogdet(2 * np.pi * S)[1])
    ),
    "negative": lambda *given: -right_answer(*given),
    "density": lambda *given: float(np.exp(right_answer(*given))),
    "eigenvectors turned": turned(turn=lambda U, Y, V: U @ Y @ V.T),
    "answers not turned": turned(turn=lambda U, Y, V: Y),
    "only the questions turned": turned(turn=lambda U, Y, V: U.T @ Y),
    "B divided once": turned(whiten=lambda C, B, s, Y: (B / s, Y / s)),
    "B not divided": turned(whiten=lambda C, B, s, Y: (B, Y / s)),
    "Y not divided": turned(whiten=lambda C, B, s, Y: (B / np.outer(s, s), Y)),
    "eigenvalues added": turned(total=lambda c, b: np.add.outer(c, b) + 1),
    "people for themselves": people_alone,
    "questions for themselves": questions_alone,
}

RULE_MISTAKES = {
    "determinant, as it is": (determinant_as_it_is, DET),
}


def with_eigenvalues(C, people, noise_std, Y):
    (c, U), (b, V) = np.linalg.eigh(C), np.linalg.eigh(people / np.outer(noise_std, noise_std))
    D = 1 + np.outer(c, b)
    T = U.T @ (Y / noise_std) @ V
    constant = Y.size * np.log(2 * np.pi) + 2 * len(Y) * np.log(noise_std).sum()
    return -0.5 * ((T**2 / D).sum() + np.log(D).sum() + constant)


def question_by_question(C, people, noise_std, Y):
    """Another algorithm: the questions turned by C's eigenvectors are independent tables of one row each."""
    c, U = np.linalg.eigh(C)
    noise = np.diag(noise_std**2)
    return sum(gaussian(scale * people + noise, row) for scale, row in zip(c, U.T @ Y, strict=True))


def user_major(C, people, noise_std, Y):
    S = np.kron(people, C) + np.diag(np.repeat(noise_std**2, len(Y)))
    return gaussian(S, Y.T.ravel())


def with_scipy(C, people, noise_std, Y):
    S = np.kron(C, people) + np.kron(np.eye(len(Y)), np.diag(noise_std**2))
    return multivariate_normal(cov=S).logpdf(Y.ravel())


def predictions(C, people, noise_std, Y):
    """Another algorithm: each answer is predicted from those before it."""
    S = np.kron(C, people) + np.diag(np.tile(noise_std**2, len(Y)))
    y, total = Y.ravel(), 0.0
    for k in range(len(y)):
        gain = np.linalg.solve(S[:k, :k], S[:k, k])
        mean, variance = gain @ y[:k], S[k, k] - gain @ S[:k, k]
        total -= 0.5 * ((y[k] - mean) ** 2 / variance + np.log(2 * np.pi * variance))
    return total


RIGHT = {
    "dense": right_answer,
    "eigenvalues": with_eigenvalues,
    "question by question": question_by_question,
    "user-major": user_major,
    "scipy": with_scipy,
    "predictions": predictions,
}
