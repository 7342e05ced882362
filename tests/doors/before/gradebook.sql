BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('e43177bfe90b');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	course_id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	FOREIGN KEY(course_id) REFERENCES course (id)
);
INSERT INTO "assignment" VALUES('6915df87e37c4ea6a9c4dc7853fcc31e','tiny',NULL,'');
CREATE TABLE base_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32) NOT NULL, 
	type VARCHAR(50), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id, type), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "base_cell" VALUES('6cf201e8984b4844b4e055a8af59cc50','double-check','fd313e0e22ea489593826d72f5106bbd','GradeCell');
INSERT INTO "base_cell" VALUES('8fece8af919842fa97161515165a8a33','letter','fd313e0e22ea489593826d72f5106bbd','GradeCell');
INSERT INTO "base_cell" VALUES('0f96f959cf6c46038eddce151a41aab7','double-answer','fd313e0e22ea489593826d72f5106bbd','SolutionCell');
INSERT INTO "base_cell" VALUES('82730972c3204fdb82bf40b6132cc62b','letter','fd313e0e22ea489593826d72f5106bbd','SolutionCell');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "comment" VALUES('e71d504fe55b4ecea0d2f72b534c077d','8523de66a2704170b43781b05d7de769','0f96f959cf6c46038eddce151a41aab7',NULL,NULL);
INSERT INTO "comment" VALUES('5b66462bca5f440eac8916eb3ce9a128','8523de66a2704170b43781b05d7de769','82730972c3204fdb82bf40b6132cc62b',NULL,'1 of 1: says what *twice* means
0.5 of 1: an example with a number

Well said.');
INSERT INTO "comment" VALUES('d717abfdd83b40c3b956048ad3eed4ac','ec53b0231fe347a7ab325e4940c100eb','0f96f959cf6c46038eddce151a41aab7',NULL,NULL);
INSERT INTO "comment" VALUES('79dedd6777694edbabb0ac691049b63b','ec53b0231fe347a7ab325e4940c100eb','82730972c3204fdb82bf40b6132cc62b',NULL,NULL);
INSERT INTO "comment" VALUES('461d6a405f304577b20cf53007782e43','49a6a2c74f7845128ee0bde27788068b','0f96f959cf6c46038eddce151a41aab7',NULL,NULL);
INSERT INTO "comment" VALUES('31aa74b336b143eaafe9da15cd0c0b12','49a6a2c74f7845128ee0bde27788068b','82730972c3204fdb82bf40b6132cc62b',NULL,NULL);
INSERT INTO "comment" VALUES('758fe860f1424b24bdad711e291d2ec8','86bd553578da43bbaf79950743b9ca2b','0f96f959cf6c46038eddce151a41aab7',NULL,NULL);
INSERT INTO "comment" VALUES('7714689cb9d84b6dbf1070368870529b','86bd553578da43bbaf79950743b9ca2b','82730972c3204fdb82bf40b6132cc62b',NULL,NULL);
CREATE TABLE course (
	id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (id)
);
INSERT INTO "course" VALUES('default_course');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "grade" VALUES('7d7edf6a847240a5bf48e7ba431f3e57','8523de66a2704170b43781b05d7de769','6cf201e8984b4844b4e055a8af59cc50',4.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('cc3d4fefcb8e4bfaafa800bff3c0ae58','8523de66a2704170b43781b05d7de769','8fece8af919842fa97161515165a8a33',NULL,1.5,NULL,0);
INSERT INTO "grade" VALUES('41397168ed694bb88fe8b86f56727271','ec53b0231fe347a7ab325e4940c100eb','6cf201e8984b4844b4e055a8af59cc50',3.0,3.5,NULL,0);
INSERT INTO "grade" VALUES('5b71187fa2084a1aa4543f0b3f2d38c5','ec53b0231fe347a7ab325e4940c100eb','8fece8af919842fa97161515165a8a33',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('34f06e793d3c4679a09b1475278caefb','49a6a2c74f7845128ee0bde27788068b','6cf201e8984b4844b4e055a8af59cc50',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('4825bd3c6e324927b20af78737d0a749','49a6a2c74f7845128ee0bde27788068b','8fece8af919842fa97161515165a8a33',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('ceb0927b448a4d89b024890ce9aecad0','86bd553578da43bbaf79950743b9ca2b','6cf201e8984b4844b4e055a8af59cc50',4.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('1555e989a050410c986ba02dfe60022a','86bd553578da43bbaf79950743b9ca2b','8fece8af919842fa97161515165a8a33',NULL,NULL,NULL,1);
CREATE TABLE grade_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "grade_cells" VALUES('6cf201e8984b4844b4e055a8af59cc50',4.0,'code');
INSERT INTO "grade_cells" VALUES('8fece8af919842fa97161515165a8a33',2.0,'markdown');
CREATE TABLE marking_number (homework TEXT, student TEXT, number INTEGER NOT NULL, PRIMARY KEY (homework, student), UNIQUE (homework, number));
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('fd313e0e22ea489593826d72f5106bbd','tiny','6915df87e37c4ea6a9c4dc7853fcc31e','{"display_name": "Python 3", "language": "python", "name": "python3"}');
CREATE TABLE rubric_mark (homework TEXT, student TEXT, grade_id TEXT, digest TEXT NOT NULL, points TEXT NOT NULL, comment TEXT NOT NULL, PRIMARY KEY (homework, student, grade_id));
INSERT INTO "rubric_mark" VALUES('tiny','ada','letter','16ea67e7cc5f66726f37255f49cbe5dcc9b6f5d9baf2bab34f5e4559a678cfdc','[1.0, 0.5]','Well said.');
CREATE TABLE solution_cells (
	id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "solution_cells" VALUES('0f96f959cf6c46038eddce151a41aab7');
INSERT INTO "solution_cells" VALUES('82730972c3204fdb82bf40b6132cc62b');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "source_cell" VALUES('403a876558c540b592c912b5eb9b2608','double-answer','code',0,'def double(x):
    # YOUR CODE HERE
    raise NotImplementedError()','b3e4cd74cb7f8fb29114354a7b089db3','fd313e0e22ea489593826d72f5106bbd');
INSERT INTO "source_cell" VALUES('4eb3fdfff9b04f598d8a3c7f62f1b4f0','double-check','code',1,'check(double)
### BEGIN HIDDEN TESTS
0.0  # The points come from the grader.
### END HIDDEN TESTS','3244345161b92cc4b9c5ee7f8cf23fc6','fd313e0e22ea489593826d72f5106bbd');
INSERT INTO "source_cell" VALUES('e7c79a93aae34fe4b832be8e3d57ec0a','letter','markdown',0,'YOUR ANSWER HERE','e2b5f5eda1eac767e1f27f71d2a80c1c','fd313e0e22ea489593826d72f5106bbd');
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	lms_user_id VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('ada',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('ben',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('cem',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('eve',NULL,NULL,NULL,NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('29a6c1ae26b0454a8c5e74dd4b9fd9af','6915df87e37c4ea6a9c4dc7853fcc31e','ada',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('1d49bd107db845719b05abc0d5f5ccca','6915df87e37c4ea6a9c4dc7853fcc31e','ben',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('6a4b71da305e43728f2bd93dc76b3357','6915df87e37c4ea6a9c4dc7853fcc31e','cem',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('93e149c2b8d3469e8c637acf61475484','6915df87e37c4ea6a9c4dc7853fcc31e','eve',NULL,NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('8523de66a2704170b43781b05d7de769','29a6c1ae26b0454a8c5e74dd4b9fd9af','fd313e0e22ea489593826d72f5106bbd',0,NULL);
INSERT INTO "submitted_notebook" VALUES('ec53b0231fe347a7ab325e4940c100eb','1d49bd107db845719b05abc0d5f5ccca','fd313e0e22ea489593826d72f5106bbd',0,NULL);
INSERT INTO "submitted_notebook" VALUES('49a6a2c74f7845128ee0bde27788068b','6a4b71da305e43728f2bd93dc76b3357','fd313e0e22ea489593826d72f5106bbd',0,NULL);
INSERT INTO "submitted_notebook" VALUES('86bd553578da43bbaf79950743b9ca2b','93e149c2b8d3469e8c637acf61475484','fd313e0e22ea489593826d72f5106bbd',0,NULL);
CREATE TABLE task_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
COMMIT;
